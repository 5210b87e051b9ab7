package io.sluice.gateway.http2;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelOption;
import io.sluice.config.Http2Config;
import io.sluice.config.ServerConfig;
import io.sluice.gateway.exchange.ExchangeFactory;
import io.sluice.gateway.http2.frames.FrameCodec;
import io.sluice.gateway.limits.RequestMemory;
import io.sluice.gateway.limits.RequestMemoryPart;
import io.sluice.gateway.net.ConnectionWatch;
import io.sluice.gateway.net.Connections;
import io.sluice.gateway.net.Protocol;
import java.util.HexFormat;

/**
 * The handlers of an HTTP/2 connection and of its streams, each of which is a channel of its own.
 *
 * <pre>
 *   bytes
 *     |  FlushConsolidationHandler   one flush for all responses to a read burst
 *     |  LingeringHttp2Close         closes without losing the last frame
 *     |  Http2Turns                  reads for half a millisecond at a time
 *     |  FrameCodec                  decodes bytes to frames, within limits
 *     |  Http2MultiplexHandler       dispatches frames to streams
 *     |  StreamEventForwarder        forwards events of the connection to its streams
 *     |  Http2Drain                  closes the connection after its last response
 *   stream
 *     |  StreamResponseEncoder       encodes responses to frames
 *     |  StreamDispatcher            dispatches the stream's request to its route
 *   handler
 *   stream of an extended CONNECT
 *     |  StreamTunnel                converts DATA frames to bytes, and back
 *   tunnel
 * </pre>
 */
public final class Http2Pipeline implements Protocol {
    /** A server's preface, SETTINGS, and GOAWAY with ENHANCE_YOUR_CALM (RFC 9113 sections 3.4 and 6.8). */
    private static final byte[] REFUSAL = HexFormat.of().parseHex(
            "000000" + "04" + "00" + "00000000"
            + "000008" + "07" + "00" + "00000000" + "00000000" + "0000000b");

    private final ServerConfig server;
    private final Http2Config config;
    private final ExchangeFactory exchanges;
    private final Connections connections;
    private final WriteBufferWaterMark waterMark;

    /** Creates the pipelines of a listener's connections. */
    public Http2Pipeline(ServerConfig server, Http2Config config, ExchangeFactory exchanges,
                         Connections connections) {
        this.server = server;
        this.config = config;
        this.exchanges = exchanges;
        this.connections = connections;
        int high = config.streamBuffer().intBytes();
        waterMark = new WriteBufferWaterMark(high / 2, high);
    }

    /**
     * Adds the handlers of a connection whose preface has not been read yet; closes it with GOAWAY if there
     * is no memory for it.
     */
    @Override
    public void addTo(ChannelPipeline pipeline, ConnectionWatch watch) {
        RequestMemory memory = exchanges.memoryOf(pipeline.channel());
        if (!memory.tryTake(RequestMemory.HTTP2)) {
            refuse(pipeline);
            return;
        }
        memory.shareWithTunnels();
        var turns = new Http2Turns();
        FrameCodec codec = FrameCodec.of(config,
                server.maxRequestLine().bytes() + server.maxHeaderBlock().bytes(), server.maxHeaders(),
                pipeline.channel().eventLoop().ticker(), turns::mayContinue, memory);
        pipeline.addLast(Protocol.flushConsolidation())
                .addLast(new LingeringHttp2Close())
                .addLast(turns)
                .addLast(codec)
                .addLast(new Http2MultiplexHandler(new StreamInitializer(codec, memory)))
                .addLast(new StreamEventForwarder(codec))
                .addLast(new Http2Drain(codec, connections, server.maxRequestsPerConnection()));
        codec.widenWindow();
        watch.watch(new Http2ExpectedInput(codec, pipeline.lastContext()));
    }

    private static void refuse(ChannelPipeline pipeline) {
        pipeline.addLast(new LingeringHttp2Close());
        pipeline.writeAndFlush(Unpooled.wrappedBuffer(REFUSAL));
        pipeline.close();
    }

    /** Initialises the channels of a connection's streams. */
    private final class StreamInitializer extends ChannelInitializer<Channel> {
        private final FrameCodec codec;
        private final RequestMemory memory;

        StreamInitializer(FrameCodec codec, RequestMemory memory) {
            this.codec = codec;
            this.memory = memory;
        }

        @Override
        protected void initChannel(Channel stream) {
            stream.config().setAllocator(stream.parent().alloc());
            stream.config().setWriteBufferWaterMark(waterMark);
            // Received bytes return to the client's flow-control window when they are consumed, not on
            // arrival.
            stream.config().setOption(Http2StreamChannelOption.AUTO_STREAM_FLOW_CONTROL, false);
            var dispatcher = new StreamDispatcher(exchanges, connections, codec, server,
                    new RequestMemoryPart(memory));
            codec.watch(((Http2StreamChannel) stream).stream(),
                    new StreamWatch(dispatcher, server.timeouts()));
            stream.pipeline().addLast(new StreamResponseEncoder()).addLast(dispatcher);
        }

        @Override
        public boolean isSharable() {
            return true;
        }
    }
}
