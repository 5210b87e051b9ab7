package io.sluice.gateway.http2.frames;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DecoratingHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import io.sluice.config.Http2Config;

/**
 * Counts the frames that a client makes the gateway send: resets, and replies and heads of responses that the
 * client does not read. Data for a stream that has closed fails with {@link ClosedStream}.
 */
final class ReplyGuard extends DecoratingHttp2ConnectionEncoder {
    private final ClientConduct conduct;
    private final RecentStreams discarded;
    /** A stream has a head, trailers and a few informational responses. */
    private static final int HEADS_OF_A_STREAM = 4;

    private final int maxUnsent;
    private final int maxUnsentHeads;
    private int unsent;
    private int unsentHeads;

    ReplyGuard(Http2ConnectionEncoder encoder, ClientConduct conduct, RecentStreams discarded,
               Http2Config config) {
        super(encoder);
        this.conduct = conduct;
        this.discarded = discarded;
        maxUnsent = config.maxUnsentReplies();
        maxUnsentHeads = Math.max(maxUnsent, HEADS_OF_A_STREAM * config.maxConcurrentStreams());
    }

    @Override
    public ChannelFuture writeData(ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding,
                                   boolean endOfStream, ChannelPromise promise) {
        return super.writeData(ctx, streamId, data, padding, endOfStream,
                ClosedStream.failing(ctx, promise.unvoid()));
    }

    @Override
    public ChannelFuture writeHeaders(ChannelHandlerContext ctx, int streamId, Http2Headers headers,
                                      int padding, boolean endStream, ChannelPromise promise) {
        return super.writeHeaders(ctx, streamId, headers, padding, endStream, countedHead(ctx, promise));
    }

    /**
     * Counts heads while the client does not read. A stream that the client ends after its response is
     * closed at once, so the number of streams does not limit them.
     */
    private ChannelPromise countedHead(ChannelHandlerContext ctx, ChannelPromise promise) {
        if (ctx.channel().isWritable()) {
            return promise;
        }
        if (++unsentHeads > maxUnsentHeads) {
            conduct.complain("too many responses that are not read");
        }
        return promise.unvoid().addListener(_ -> unsentHeads--);
    }

    @Override
    public ChannelFuture writeSettingsAck(ChannelHandlerContext ctx, ChannelPromise promise) {
        return super.writeSettingsAck(ctx, counted(promise));
    }

    @Override
    public ChannelFuture writePing(ChannelHandlerContext ctx, boolean ack, long data,
                                   ChannelPromise promise) {
        return super.writePing(ctx, ack, data, ack ? counted(promise) : promise);
    }

    @Override
    public ChannelFuture writeRstStream(ChannelHandlerContext ctx, int streamId, long errorCode,
                                        ChannelPromise promise) {
        Http2Stream stream = connection().stream(streamId);
        if (stream != null && stream.state().remoteSideOpen()) {
            discarded.add(streamId);
        }
        if (isProvoked(errorCode)) {
            conduct.reset();
        }
        return super.writeRstStream(ctx, streamId, errorCode, counted(promise));
    }

    /**
     * Returns whether the client has caused a reset: NO_ERROR follows a response, CANCEL and INTERNAL_ERROR
     * are not the client's fault.
     */
    private static boolean isProvoked(long errorCode) {
        return errorCode != Http2Error.NO_ERROR.code() && errorCode != Http2Error.CANCEL.code()
                && errorCode != Http2Error.INTERNAL_ERROR.code();
    }

    /**
     * Counts a reply until it is written. The complaint takes effect at the next frame; a client that sends
     * none causes no further replies.
     */
    private ChannelPromise counted(ChannelPromise promise) {
        if (++unsent > maxUnsent) {
            conduct.complain("too many replies that are not read");
        }
        return promise.unvoid().addListener(_ -> unsent--);
    }
}
