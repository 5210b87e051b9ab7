package io.sluice.gateway.http2.frames;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.sluice.gateway.limits.RequestMemory;

/**
 * Checks every received frame before it takes effect, and counts frames that cost the gateway more than the
 * client.
 */
final class FrameGuard extends Http2FrameListenerDecorator {
    /** The size in bytes below which a window update is counted. */
    private static final int SMALL_UPDATE = 1024;

    private final Http2Connection connection;
    private final ClientConduct conduct;
    private final RecentStreams discarded;
    private final RequestMemory memory;
    private final RecentStreams opened;

    /**
     * Creates a guard before a listener.
     *
     * @param discarded streams that were refused, or reset by the gateway before the client had ended them;
     *     the client's frames that were on their way are not counted as errors
     * @param opened streams that were opened; headers on one that is closed are another error than headers on
     *     one that was skipped
     */
    FrameGuard(Http2FrameListener listener, Http2Connection connection, ClientConduct conduct,
               RecentStreams discarded, RecentStreams opened, RequestMemory memory) {
        super(listener);
        this.connection = connection;
        this.conduct = conduct;
        this.discarded = discarded;
        this.opened = opened;
        this.memory = memory;
    }

    private void control() throws Http2Exception {
        conduct.controlFrame();
        conduct.requireCalm();
    }

    private boolean isDiscarded(int streamId) {
        return connection.stream(streamId) == null && discarded.contains(streamId);
    }

    @Override
    public int onDataRead(ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding,
                          boolean endOfStream) throws Http2Exception {
        if (!data.isReadable() && !endOfStream) {
            control();
        }
        if (isDiscarded(streamId)) {
            connection.local().flowController().receiveFlowControlledFrame(null, data, padding, endOfStream);
            return 0;
        }
        return super.onDataRead(ctx, streamId, data, padding, endOfStream);
    }

    /** Ignores priorities, which RFC 9113 has deprecated (section 5.3). */
    @Override
    public void onHeadersRead(ChannelHandlerContext ctx, int streamId, Http2Headers headers,
                              int streamDependency, short weight, boolean exclusive, int padding,
                              boolean endOfStream) throws Http2Exception {
        onHeadersRead(ctx, streamId, headers, padding, endOfStream);
    }

    @Override
    public void onHeadersRead(ChannelHandlerContext ctx, int streamId, Http2Headers headers, int padding,
                              boolean endOfStream) throws Http2Exception {
        if (isDiscarded(streamId)) {
            return;
        }
        requireOpenOrNew(streamId);
        if (connection.stream(streamId) == null && !hasMemory()) {
            discarded.add(streamId);
            conduct.excuseReset();
            throw Http2Exception.streamError(streamId, Http2Error.REFUSED_STREAM, "no memory for a stream");
        }
        try {
            super.onHeadersRead(ctx, streamId, headers, padding, endOfStream);
        } catch (Http2Exception e) {
            if (e.error() == Http2Error.REFUSED_STREAM) {
                discarded.add(streamId);
                conduct.tooManyStreams();
            }
            throw e;
        }
        opened.add(streamId);
    }

    /** Returns whether there is room for a further stream. The first one of a connection always has. */
    private boolean hasMemory() {
        return connection.numActiveStreams() == 0 || memory.hasRoom(RequestMemory.STREAM);
    }

    /**
     * Rejects headers on a closed stream and stream ids that are not ascending (RFC 9113 sections 5.1 and
     * 5.1.1).
     */
    private void requireOpenOrNew(int streamId) throws Http2Exception {
        Http2Stream stream = connection.stream(streamId);
        if (stream != null && !stream.state().remoteSideOpen()) {
            throw Http2Exception.streamError(streamId, Http2Error.STREAM_CLOSED, "headers behind the end");
        }
        if (stream == null && connection.streamMayHaveExisted(streamId)) {
            throw opened.contains(streamId)
                    ? Http2Exception.connectionError(Http2Error.STREAM_CLOSED, "headers on a closed stream")
                    : Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR, "a stream behind later ones");
        }
    }

    @Override
    public void onPriorityRead(ChannelHandlerContext ctx, int streamId, int streamDependency, short weight,
                               boolean exclusive) throws Http2Exception {
        control();
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long errorCode)
            throws Http2Exception {
        if (isAnswered(streamId)) {
            conduct.controlFrame();
        } else {
            conduct.reset();
        }
        conduct.requireCalm();
        if (!isDiscarded(streamId)) {
            super.onRstStreamRead(ctx, streamId, errorCode);
        }
    }

    /**
     * Returns whether the response has been sent to its end. A reset ends only the rest of the request then
     * (RFC 9113 section 8.1), such as of a call that a gRPC server has ended.
     */
    private boolean isAnswered(int streamId) {
        Http2Stream stream = connection.stream(streamId);
        return stream == null ? connection.streamMayHaveExisted(streamId) : !stream.state().localSideOpen();
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) throws Http2Exception {
        control();
        try {
            super.onSettingsRead(ctx, settings);
        } catch (Http2Exception e) {
            // A window that overflows: the other streams' windows are unknown then (RFC 9113 section 6.9.2).
            throw Http2Exception.isStreamError(e)
                    ? Http2Exception.connectionError(e.error(), e, "settings that a stream cannot take") : e;
        }
    }

    @Override
    public void onSettingsAckRead(ChannelHandlerContext ctx) throws Http2Exception {
        control();
        conduct.settled();
        super.onSettingsAckRead(ctx);
    }

    @Override
    public void onPingRead(ChannelHandlerContext ctx, long data) throws Http2Exception {
        conduct.ping();
        conduct.requireCalm();
        super.onPingRead(ctx, data);
    }

    @Override
    public void onPingAckRead(ChannelHandlerContext ctx, long data) throws Http2Exception {
        control();
        super.onPingAckRead(ctx, data);
    }

    @Override
    public void onGoAwayRead(ChannelHandlerContext ctx, int lastStreamId, long errorCode, ByteBuf debugData)
            throws Http2Exception {
        control();
        super.onGoAwayRead(ctx, lastStreamId, errorCode, debugData);
    }

    @Override
    public void onWindowUpdateRead(ChannelHandlerContext ctx, int streamId, int windowSizeIncrement)
            throws Http2Exception {
        if (windowSizeIncrement < SMALL_UPDATE) {
            conduct.smallUpdate();
            conduct.requireCalm();
        }
        if (!isDiscarded(streamId)) {
            super.onWindowUpdateRead(ctx, streamId, windowSizeIncrement);
        }
    }

    /** Ignores frames of unknown types (RFC 9113 section 5.5), but counts them. */
    @Override
    public void onUnknownFrame(ChannelHandlerContext ctx, byte frameType, int streamId, Http2Flags flags,
                               ByteBuf payload) throws Http2Exception {
        control();
    }
}
