package io.sluice.gateway.tls;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import javax.net.ssl.SSLException;

/** Makes the end of TLS what the end of a connection without it is, for all that comes behind. */
final class CloseNotify extends ChannelDuplexHandler {

    /**
     * A client that says that it sends no more (RFC 8446 section 6.1) is as gone as one that ends TCP. What
     * it asked for in the same breath goes unanswered: TLS 1.2 wants nothing to be sent from then on (RFC
     * 5246 section 7.2.1), and BoringSSL sends nothing in TLS 1.3 either.
     */
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        ctx.fireUserEventTriggered(event);
        if (event instanceof SslCloseCompletionEvent close && close.isSuccess()) {
            close(ctx, ctx.newPromise());
        }
    }

    /**
     * Closes at once. The client is told if it takes that now; to wait for it, as TLS would, leaves a channel
     * that is writable, and loses what is written.
     */
    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        ChannelHandlerContext tls = ctx.pipeline().context(SslHandler.class);
        if (tls == null) {
            ctx.close(promise);
        } else {
            ((SslHandler) tls.handler()).closeOutbound();
            tls.close(promise);
        }
    }

    /** A connection that does not keep to TLS is broken, as one that breaks in TCP. */
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
