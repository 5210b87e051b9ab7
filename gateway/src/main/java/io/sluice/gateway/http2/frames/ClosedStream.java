package io.sluice.gateway.http2.frames;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.util.concurrent.Future;
import java.nio.channels.ClosedChannelException;

/**
 * The failure of frames that wait when their stream is closed: one exception without a stack for all of
 * them. Netty would create one for each frame, whose stack takes longer than the rest of the close.
 */
final class ClosedStream extends ClosedChannelException {
    private static final long serialVersionUID = 1;
    @SuppressWarnings("StaticAssignmentOfThrowable") // it has no stack
    private static final ClosedStream INSTANCE = new ClosedStream();

    private ClosedStream() {
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }

    /** Returns a promise that completes another one, with this failure if its stream was closed. */
    static ChannelPromise failing(ChannelHandlerContext ctx, ChannelPromise promise) {
        return ctx.newPromise().addListener(written -> complete(promise, written));
    }

    private static void complete(ChannelPromise promise, Future<?> written) {
        if (written.isSuccess()) {
            promise.trySuccess();
        } else {
            promise.tryFailure(written.cause() instanceof Http2Exception e
                    && e.error() == Http2Error.STREAM_CLOSED ? INSTANCE : written.cause());
        }
    }
}
