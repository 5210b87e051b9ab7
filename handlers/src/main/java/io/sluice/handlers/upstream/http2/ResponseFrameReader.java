package io.sluice.handlers.upstream.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;

/**
 * Reads the frames of an endpoint, and discards those of streams that have ended: they were under way when
 * the gateway reset the stream (RFC 9113 section 5.1). Netty would make an exception and a reset of each.
 */
final class ResponseFrameReader extends DefaultHttp2FrameReader {
    private final Http2Connection connection;

    ResponseFrameReader(Http2Connection connection) {
        super(new ResponseFields.Decoder());
        this.connection = connection;
    }

    @Override
    public void readFrame(ChannelHandlerContext ctx, ByteBuf input, Http2FrameListener listener)
            throws Http2Exception {
        super.readFrame(ctx, input, new Filter(listener, connection));
    }

    private static final class Filter extends Http2FrameListenerDecorator {
        private final Http2Connection connection;

        Filter(Http2FrameListener listener, Http2Connection connection) {
            super(listener);
            this.connection = connection;
        }

        private boolean hasEnded(int streamId) {
            return connection.stream(streamId) == null && connection.local().mayHaveCreatedStream(streamId);
        }

        @Override
        public int onDataRead(ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding,
                              boolean endOfStream) throws Http2Exception {
            if (hasEnded(streamId)) {
                connection.local().flowController()
                        .receiveFlowControlledFrame(null, data, padding, endOfStream);
                return 0;
            }
            return super.onDataRead(ctx, streamId, data, padding, endOfStream);
        }

        @Override
        public void onHeadersRead(ChannelHandlerContext ctx, int streamId, Http2Headers headers, int padding,
                                  boolean endOfStream) throws Http2Exception {
            if (!hasEnded(streamId)) {
                super.onHeadersRead(ctx, streamId, headers, padding, endOfStream);
            }
        }

        @Override
        public void onHeadersRead(ChannelHandlerContext ctx, int streamId, Http2Headers headers,
                                  int streamDependency, short weight, boolean exclusive, int padding,
                                  boolean endOfStream) throws Http2Exception {
            onHeadersRead(ctx, streamId, headers, padding, endOfStream);
        }
    }
}
