package io.sluice.gateway.tls;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SniCompletionEvent;
import io.netty.handler.ssl.SslCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.Ticker;
import io.sluice.gateway.net.ConnectionEvent;
import io.sluice.gateway.net.ConnectionWatch;
import java.security.cert.X509Certificate;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits for the end of the handshake, and is then replaced by the handlers of the negotiated protocol. */
final class TlsHandshake extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(TlsHandshake.class);

    private final TlsProtocol tls;
    private final ConnectionWatch watch;
    private final Ticker clock;
    private long beginNanos;
    private boolean over;

    TlsHandshake(TlsProtocol tls, ConnectionWatch watch, Ticker clock) {
        this.tls = tls;
        this.watch = watch;
        this.clock = clock;
    }

    /** Notes the arrival of the ClientHello. */
    void started() {
        beginNanos = clock.nanoTime();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        if (tls.connections().draining()) {
            closeSoon(ctx);
        }
    }

    /**
     * Closes the connection after the idle grace of the drain. It has carried no request yet, so its client
     * can use another gateway.
     */
    private void closeSoon(ChannelHandlerContext ctx) {
        ctx.executor().schedule(() -> {
            if (!over) {
                ctx.close();
            }
        }, tls.connections().idleGrace().toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ConnectionEvent.Drain) {
            closeSoon(ctx);
        } else if (event instanceof SslHandshakeCompletionEvent || event instanceof SniCompletionEvent) {
            var completion = (SslCompletionEvent) event;
            if (!completion.isSuccess()) {
                log.debug("a handshake failed", completion.cause());
                failed(HandshakeFailure.of(completion.cause()));
            } else if (event instanceof SslHandshakeCompletionEvent) {
                succeeded(ctx);
            }
        }
        ctx.fireUserEventTriggered(event);
    }

    /** Counts a failure; only the first one of a handshake counts. */
    void failed(HandshakeFailure reason) {
        if (!over) {
            over = true;
            tls.observer().failed(reason);
        }
    }

    private void succeeded(ChannelHandlerContext ctx) {
        ChannelPipeline pipeline = ctx.pipeline();
        SslHandler handler = pipeline.get(SslHandler.class);
        if (hasExpiredClient(handler.engine())) {
            failed(HandshakeFailure.CLIENT_CERTIFICATE);
            ctx.close();
            return;
        }
        over = true;
        String version = handler.engine().getSession().getProtocol();
        if (handler.engine() instanceof ReferenceCountedOpenSslEngine) {
            pipeline.addLast(new BoringSslErrorFlush());
        } else {
            JdkLimits.begin(pipeline, handler.engine());
        }
        tls.observer().handshake(version, clock.nanoTime() - beginNanos);
        tls.agreed(handler.applicationProtocol()).addTo(pipeline, watch);
        pipeline.remove(this);
    }

    /** Returns whether the client's certificate has expired. A resumed session is not checked for that. */
    private static boolean hasExpiredClient(SSLEngine engine) {
        if (!engine.getWantClientAuth() && !engine.getNeedClientAuth()) {
            return false;
        }
        try {
            return engine.getSession().getPeerCertificates()[0] instanceof X509Certificate leaf
                    && leaf.getNotAfter().before(new Date());
        } catch (SSLPeerUnverifiedException _) {
            return false; // It is optional, and the client has none.
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        log.debug("a connection broke in its handshake", cause);
        ctx.close();
    }
}
