package io.sluice.handlers.upstream.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DecoratingHttp2FrameWriter;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2FrameWriter;
import io.netty.handler.codec.http2.Http2Headers;

/**
 * Counts the frames that are sent to an endpoint. Ends the connection of one that makes the gateway send
 * frames without reading them (RFC 9113 section 10.5): they would fill the memory. DATA waits for its window
 * instead, and is not counted. Confined to the event loop.
 */
final class SentFrames extends DecoratingHttp2FrameWriter {
    private static final int MAX_UNSENT = 1000;
    /** An open stream has a head, trailers, and a window update under way. */
    private static final int UNSENT_OF_A_STREAM = 4;
    /** An endpoint may return credit for the stream and the connection, and measure with a PING. */
    private static final int ANSWERS = 3;
    /** Some endpoints return credit for each piece that they read of a larger frame, of so many bytes. */
    private static final int SMALL_READ = 256;

    private final Http2Connection connection;
    private final FrameLimit answers;
    private final ChannelFutureListener sent = _ -> sent();
    private int unsent;
    private boolean ending;

    /**
     * Creates a writer in front of another one.
     *
     * @param answers limits frames without content, except those that answer what is sent
     */
    SentFrames(Http2FrameWriter writer, Http2Connection connection, FrameLimit answers) {
        super(writer);
        this.connection = connection;
        this.answers = answers;
    }

    @Override
    public ChannelFuture writeData(ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding,
                                   boolean endStream, ChannelPromise promise) {
        answers.excuse(ANSWERS + data.readableBytes() / SMALL_READ);
        return super.writeData(ctx, streamId, data, padding, endStream, promise);
    }

    @Override
    public ChannelFuture writeHeaders(ChannelHandlerContext ctx, int streamId, Http2Headers headers,
                                      int padding, boolean endStream, ChannelPromise promise) {
        answers.excuse(ANSWERS);
        return super.writeHeaders(ctx, streamId, headers, padding, endStream, counted(ctx, promise));
    }

    @Override
    public ChannelFuture writeSettingsAck(ChannelHandlerContext ctx, ChannelPromise promise) {
        return super.writeSettingsAck(ctx, counted(ctx, promise));
    }

    @Override
    public ChannelFuture writePing(ChannelHandlerContext ctx, boolean ack, long data,
                                   ChannelPromise promise) {
        return super.writePing(ctx, ack, data, counted(ctx, promise));
    }

    @Override
    public ChannelFuture writeRstStream(ChannelHandlerContext ctx, int streamId, long errorCode,
                                        ChannelPromise promise) {
        return super.writeRstStream(ctx, streamId, errorCode, counted(ctx, promise));
    }

    @Override
    public ChannelFuture writeWindowUpdate(ChannelHandlerContext ctx, int streamId, int increment,
                                           ChannelPromise promise) {
        return super.writeWindowUpdate(ctx, streamId, increment, counted(ctx, promise));
    }

    private ChannelPromise counted(ChannelHandlerContext ctx, ChannelPromise promise) {
        unsent++;
        if (isUnread() && !ending) {
            ending = true;
            ctx.executor().execute(() -> endIfUnread(ctx)); // after the flush of this turn
        }
        return promise.unvoid().addListener(sent);
    }

    private void sent() {
        unsent--;
    }

    private boolean isUnread() {
        return unsent >= MAX_UNSENT + UNSENT_OF_A_STREAM * connection.numActiveStreams();
    }

    /** Closes the connection at once, as a last frame would wait behind the others. */
    private void endIfUnread(ChannelHandlerContext ctx) {
        ending = false;
        if (isUnread()) {
            ctx.pipeline().fireExceptionCaught(
                    new IllegalStateException(unsent + " frames that the endpoint does not read"));
            ctx.close();
        }
    }
}
