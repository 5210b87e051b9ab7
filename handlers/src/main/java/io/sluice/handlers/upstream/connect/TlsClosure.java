package io.sluice.handlers.upstream.connect;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import javax.net.ssl.SSLException;

/**
 * Closes a connection after the endpoint's close_notify, as if it had closed TCP. The end of TCP without it
 * is reported as an error before: the last bytes may be missing (RFC 8446 section 6.1).
 */
final class TlsClosure extends ChannelInboundHandlerAdapter {

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslCloseCompletionEvent end) {
            if (end.isSuccess()) {
                ctx.close();
            } else {
                ctx.fireExceptionCaught(new SSLException("closed without close_notify"));
            }
        }
        ctx.fireUserEventTriggered(event);
    }
}
