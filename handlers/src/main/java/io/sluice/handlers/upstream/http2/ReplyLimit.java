package io.sluice.handlers.upstream.http2;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DecoratingHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;

/**
 * Ends the connection of an endpoint that makes the gateway send replies and resets without reading them
 * (RFC 9113 section 10.5): they would fill the memory.
 */
final class ReplyLimit extends DecoratingHttp2ConnectionEncoder {
    private static final int MAX_UNSENT = 1000;

    private int unsent;

    ReplyLimit(Http2ConnectionEncoder encoder) {
        super(encoder);
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

    private ChannelPromise counted(ChannelHandlerContext ctx, ChannelPromise promise) {
        if (++unsent == MAX_UNSENT) {
            ctx.executor().execute(() -> endUnlessSent(ctx)); // after the flush of this turn
        }
        return promise.unvoid().addListener(_ -> unsent--);
    }

    /** Closes the connection at once, as a last frame would wait behind the others. */
    private void endUnlessSent(ChannelHandlerContext ctx) {
        if (unsent >= MAX_UNSENT) {
            ctx.pipeline().fireExceptionCaught(
                    new IllegalStateException(unsent + " replies that the endpoint does not read"));
            ctx.close();
        }
    }
}
