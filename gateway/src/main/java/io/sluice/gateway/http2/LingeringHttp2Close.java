package io.sluice.gateway.http2;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import io.sluice.gateway.net.ConnectionEvent;
import io.sluice.gateway.net.LingeringClose;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection without losing the last frame, which states the reason, even if close is called
 * repeatedly. Waits 3 s at most for a client that does not read.
 */
final class LingeringHttp2Close extends ChannelDuplexHandler {
    private static final long PATIENCE_SECONDS = 3;

    private boolean closing;
    private boolean ended;

    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        if (ended || !ctx.channel().isActive()) {
            ctx.close(promise);
            return;
        }
        ctx.channel().closeFuture().addListener(_ -> promise.trySuccess());
        if (!closing) {
            closing = true;
            Future<?> timer = ctx.executor().schedule(() -> ctx.close(), PATIENCE_SECONDS, TimeUnit.SECONDS);
            ctx.channel().closeFuture().addListener(_ -> timer.cancel(false));
            LingeringClose.close(ctx);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (closing) {
            ReferenceCountUtil.release(message);
        } else {
            ctx.fireChannelRead(message);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ConnectionEvent.End) {
            ended = true;
        }
        ctx.fireUserEventTriggered(event);
    }
}
