package io.sluice.gateway.tls;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Has Netty's engine for BoringSSL tell at once of a record that it could not take: it sends the alert, and
 * throws only when it is to send something else. A read that brings no data may have been such a record.
 */
final class LateErrors extends ChannelInboundHandlerAdapter {
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
