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
 * Closes a connection whose client has closed its sending half behind what has been written. On NIO and epoll
 * that is with the kernel by then, and Netty closes by itself; io_uring is told to send, and does so later.
 */
@Sharable
public final class EndOfInput extends ChannelInboundHandlerAdapter {

    EndOfInput() {
    }

    /**
     * Keeps a connection open from here on when its client closes its sending half: its pipeline gets a
     * {@link ChannelInputShutdownEvent} and decides.
     */
    public static void allowHalfClose(Channel channel) {
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        EndOfInput closing = channel.pipeline().get(EndOfInput.class);
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
