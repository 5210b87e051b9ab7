package io.sluice.handlers.upstream.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Exception.StreamException;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;

/**
 * Reads the frames of an endpoint, and discards those of streams that have ended: they were under way when
 * the gateway reset the stream (RFC 9113 section 5.1). Netty would make an exception and a reset of each. It
 * still makes an exception of each malformed one, so that their number is limited. So is that of frames
 * without content, which cost the gateway more than the endpoint.
 */
final class ResponseFrameReader extends DefaultHttp2FrameReader {
    private final Http2Connection connection;
    private final FrameLimit contentless;
    private final FrameLimit malformed = new FrameLimit(100, "malformed frames of streams that have ended");
    /** Indicates an error of the connection that Netty's reader does not know, after which it reads on. */
    private boolean failed;

    /**
     * Creates a reader of a new connection.
     *
     * @param contentless counts frames without content
     */
    ResponseFrameReader(Http2Connection connection, FrameLimit contentless) {
        super(new ResponseFields.Decoder());
        this.connection = connection;
        this.contentless = contentless;
    }

    @Override
    public void readFrame(ChannelHandlerContext ctx, ByteBuf input, Http2FrameListener listener)
            throws Http2Exception {
        if (failed) {
            input.skipBytes(input.readableBytes());
            return;
        }
        try {
            super.readFrame(ctx, input, new Filter(listener));
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

    private final class Filter extends Http2FrameListenerDecorator {
        Filter(Http2FrameListener listener) {
            super(listener);
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
            boolean ended = hasEnded(streamId);
            if (!data.isReadable() && (ended || !endOfStream)) {
                contentless.count(ctx);
            }
            if (ended) {
                connection.local().flowController()
                        .receiveFlowControlledFrame(null, data, padding, endOfStream);
                return 0;
            }
            return super.onDataRead(ctx, streamId, data, padding, endOfStream);
        }

        @Override
        public void onHeadersRead(ChannelHandlerContext ctx, int streamId, Http2Headers headers, int padding,
                                  boolean endOfStream) throws Http2Exception {
            if (hasEnded(streamId)) {
                contentless.count(ctx);
            } else {
                super.onHeadersRead(ctx, streamId, headers, padding, endOfStream);
            }
        }

        @Override
        public void onHeadersRead(ChannelHandlerContext ctx, int streamId, Http2Headers headers,
                                  int streamDependency, short weight, boolean exclusive, int padding,
                                  boolean endOfStream) throws Http2Exception {
            onHeadersRead(ctx, streamId, headers, padding, endOfStream);
        }

        @Override
        public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long errorCode)
                throws Http2Exception {
            if (hasEnded(streamId)) {
                contentless.count(ctx);
            }
            super.onRstStreamRead(ctx, streamId, errorCode);
        }

        @Override
        public void onPriorityRead(ChannelHandlerContext ctx, int streamId, int streamDependency,
                                   short weight, boolean exclusive) throws Http2Exception {
            contentless.count(ctx);
            super.onPriorityRead(ctx, streamId, streamDependency, weight, exclusive);
        }

        @Override
        public void onSettingsAckRead(ChannelHandlerContext ctx) throws Http2Exception {
            contentless.count(ctx);
            super.onSettingsAckRead(ctx);
        }

        @Override
        public void onPingRead(ChannelHandlerContext ctx, long data) throws Http2Exception {
            contentless.count(ctx);
            super.onPingRead(ctx, data);
        }

        @Override
        public void onPingAckRead(ChannelHandlerContext ctx, long data) throws Http2Exception {
            contentless.count(ctx);
            super.onPingAckRead(ctx, data);
        }

        @Override
        public void onGoAwayRead(ChannelHandlerContext ctx, int lastStreamId, long errorCode,
                                 ByteBuf debugData) throws Http2Exception {
            contentless.count(ctx);
            super.onGoAwayRead(ctx, lastStreamId, errorCode, debugData);
        }

        @Override
        public void onWindowUpdateRead(ChannelHandlerContext ctx, int streamId, int increment)
                throws Http2Exception {
            contentless.count(ctx);
            super.onWindowUpdateRead(ctx, streamId, increment);
        }

        @Override
        public void onUnknownFrame(ChannelHandlerContext ctx, byte frameType, int streamId, Http2Flags flags,
                                   ByteBuf payload) throws Http2Exception {
            contentless.count(ctx);
            super.onUnknownFrame(ctx, frameType, streamId, flags, payload);
        }
    }
}
