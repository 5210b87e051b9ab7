package io.sluice.gateway.tls;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.sluice.gateway.net.LingeringClose;
import javax.net.ssl.SSLException;

/** Makes the end of TLS look to the handlers behind it like the end of a plain connection. */
final class CloseNotify extends ChannelDuplexHandler {

    /**
     * Closes the connection when the client sends close_notify (RFC 8446 section 6.1), as if it had closed
     * TCP. Requests that it sent just before are not answered: TLS 1.2 forbids to send anything after that
     * (RFC 5246 section 7.2.1), and BoringSSL sends nothing in TLS 1.3 either.
     */
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        ctx.fireUserEventTriggered(event);
        if (event instanceof SslCloseCompletionEvent close && close.isSuccess()) {
            close(ctx, ctx.newPromise());
        }
    }

    /**
     * Closes at once. close_notify is sent if the client accepts it now, and if no response is cut off that
     * would look complete with it. To wait until the client accepts it, as the TLS handler would, would leave
     * a channel that is writable but loses what is written.
     */
    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        ChannelHandlerContext tls = ctx.pipeline().context(SslHandler.class);
        if (tls == null) {
            ctx.close(promise);
        } else {
            if (!LingeringClose.isReset(ctx.channel())) {
                ((SslHandler) tls.handler()).closeOutbound();
            }
            tls.close(promise);
        }
    }

    /** Reports a TLS violation like a broken TCP connection, and closes. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Throwable reason = cause instanceof DecoderException && cause.getCause() != null
                ? cause.getCause() : cause;
        ctx.fireExceptionCaught(reason);
        if (reason instanceof SSLException) {
            close(ctx, ctx.newPromise());
        }
    }
}
