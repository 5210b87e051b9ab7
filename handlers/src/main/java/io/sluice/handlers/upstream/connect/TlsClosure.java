package io.sluice.handlers.upstream.connect;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import javax.net.ssl.SSLException;

/**
 * Closes a connection after the endpoint's close_notify, as if it had closed TCP. The end of TCP without it
 * is reported as an error before: the last bytes may be missing (RFC 8446 section 6.1).
 */
final class TlsClosure extends ChannelInboundHandlerAdapter {

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslCloseCompletionEvent end) {
            if (!end.isSuccess()) {
                ctx.fireExceptionCaught(new SSLException("closed without close_notify"));
            } else if (ctx.pipeline().get(SslHandler.class).engine().isInboundDone()) {
                ctx.close();
            } // else this side has closed its half, which OpenSSL's engine reports with the next bytes
        }
        ctx.fireUserEventTriggered(event);
    }
}
