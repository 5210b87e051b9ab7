package io.sluice.gateway.http2;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2PingFrame;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2PingFrame;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.ReferenceCountUtil;
import io.sluice.gateway.http2.frames.FrameCodec;
import io.sluice.gateway.net.ConnectionEvent;
import io.sluice.gateway.net.Connections;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drains a connection without losing a request (RFC 9113 section 6.8). Sends a GOAWAY that refuses no stream;
 * when the client has seen it, one with the last accepted stream; and closes the connection when all streams
 * have ended. As the last handler, drops frames that concern no stream.
 */
final class Http2Drain extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(Http2Drain.class);
    private static final long PING = 0x736C75696365L;

    private final FrameCodec codec;
    private final Http2Connection connection;
    private final Connections connections;
    private final int maxRequests;
    private int requests;
    private boolean draining;
    private boolean lastStreamSent;

    /**
     * Creates the drain of a connection.
     *
     * @param maxRequests the number of requests after which the connection is drained; 0 for no limit
     */
    Http2Drain(FrameCodec codec, Connections connections, int maxRequests) {
        this.codec = codec;
        connection = codec.connection();
        this.connections = connections;
        this.maxRequests = maxRequests;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        connection.addListener(new Http2ConnectionAdapter() {
            @Override
            public void onStreamAdded(Http2Stream stream) {
                if (++requests == maxRequests) {
                    ctx.executor().execute(() -> drain(ctx));
                }
            }

            @Override
            public void onStreamRemoved(Http2Stream stream) {
                if (lastStreamSent) {
                    ctx.executor().execute(() -> closeIfSilent(ctx));
                }
            }
        });
        if (connections.draining()) {
            drain(ctx);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
        if (event instanceof ConnectionEvent.Drain) {
            drain(ctx);
        } else if (event instanceof ConnectionEvent.End) {
            sendLastStream(ctx);
        } else if (event instanceof ConnectionEvent.MemoryShort memory) {
            if (memory.heap() && connection.numActiveStreams() == 0) {
                drain(ctx);
            }
            codec.refusePartialHead(ctx.pipeline().context(codec), "memory is short for a whole request");
        }
    }

    private void drain(ChannelHandlerContext ctx) {
        if (draining) {
            return;
        }
        draining = true;
        ctx.write(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR).setExtraStreamIds(Integer.MAX_VALUE));
        ctx.writeAndFlush(new DefaultHttp2PingFrame(PING));
        ctx.executor().schedule(() -> endStreams(ctx), connections.idleGrace().toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private void endStreams(ChannelHandlerContext ctx) {
        if (!lastStreamSent) {
            sendLastStream(ctx);
            closeIfSilent(ctx);
        }
    }

    private void sendLastStream(ChannelHandlerContext ctx) {
        lastStreamSent = true;
        ctx.writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR));
    }

    private void closeIfSilent(ChannelHandlerContext ctx) {
        if (connection.numActiveStreams() == 0) {
            ctx.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object frame) {
        if (draining && frame instanceof Http2PingFrame ping && ping.ack() && ping.content() == PING) {
            endStreams(ctx);
        }
        ReferenceCountUtil.release(frame);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof Http2Exception) {
            log.debug("a client broke the protocol: {}", cause.getMessage());
        } else {
            Connections.logBroken(cause);
        }
    }
}
