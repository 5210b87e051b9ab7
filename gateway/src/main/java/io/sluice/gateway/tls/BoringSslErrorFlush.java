package io.sluice.gateway.tls;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Makes Netty's engine for BoringSSL report an invalid record at once. The engine sends the alert, but throws
 * only at its next write. A read that yields no data may have been such a record, and is followed by a flush.
 */
final class BoringSslErrorFlush extends ChannelInboundHandlerAdapter {
    private boolean data;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        data = true;
        ctx.fireChannelRead(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (!data) {
            ctx.flush();
        }
        data = false;
        ctx.fireChannelReadComplete();
    }
}
