package io.sluice.handlers.upstream.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Exception.StreamException;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;

/**
 * Reads the frames of an endpoint, and discards those of streams that have ended: they were under way when
 * the gateway reset the stream (RFC 9113 section 5.1). Netty would make an exception and a reset of each. It
 * still makes an exception of each malformed one, so that their number is limited.
 */
final class ResponseFrameReader extends DefaultHttp2FrameReader {
    private final Http2Connection connection;
    private final FrameLimit malformed = new FrameLimit("malformed frames of streams that have ended");
    /** Indicates an error of the connection that Netty's reader does not know, after which it reads on. */
    private boolean failed;

    ResponseFrameReader(Http2Connection connection) {
        super(new ResponseFields.Decoder());
        this.connection = connection;
    }

    @Override
    public void readFrame(ChannelHandlerContext ctx, ByteBuf input, Http2FrameListener listener)
            throws Http2Exception {
        if (failed) {
            input.skipBytes(input.readableBytes());
            return;
        }
        try {
            super.readFrame(ctx, input, new Filter(listener, connection));
        } catch (StreamException e) {
            if (connection.stream(e.streamId()) != null) {
                throw e;
            }
            failed = true; // unless the next lines find otherwise
            if (!connection.local().mayHaveCreatedStream(e.streamId())) {
                throw Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR, e,
                        "a malformed frame of stream %d, without a request", e.streamId());
            }
            malformed.count(ctx);
            failed = false;
        }
    }

    private static final class Filter extends Http2FrameListenerDecorator {
        private final Http2Connection connection;

        Filter(Http2FrameListener listener, Http2Connection connection) {
            super(listener);
            this.connection = connection;
        }

        /** Ends the connection if a stream's window overflows: Netty skips the windows of the others then. */
        @Override
        public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) throws Http2Exception {
            try {
                super.onSettingsRead(ctx, settings);
            } catch (StreamException e) { // RFC 9113 section 6.9.2
                throw Http2Exception.connectionError(e.error(), e, "settings that a stream cannot take");
            }
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
