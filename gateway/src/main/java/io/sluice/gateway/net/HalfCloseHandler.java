package io.sluice.gateway.net;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;

/**
 * Closes a connection whose client has closed its sending half, after all that was written to it. On NIO and
 * epoll, flushed bytes are in the kernel by then, and Netty closes by itself. io_uring only submits a write,
 * which completes later.
 */
@Sharable
public final class HalfCloseHandler extends ChannelInboundHandlerAdapter {

    HalfCloseHandler() {
    }

    /**
     * Lets a connection stay open when its client closes its sending half: its pipeline gets a {@link
     * ChannelInputShutdownEvent} and decides.
     */
    public static void allowHalfClose(Channel channel) {
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        HalfCloseHandler closing = channel.pipeline().get(HalfCloseHandler.class);
        if (closing != null) {
            channel.pipeline().remove(closing);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }
}
