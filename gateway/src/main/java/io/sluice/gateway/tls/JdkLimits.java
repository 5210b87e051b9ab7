package io.sluice.gateway.tls;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.ssl.SslProtocols;
import javax.net.ssl.SSLEngine;

/**
 * Limits what an endpoint may send within the JDK's TLS, from the end of the handshake on. BoringSSL has such
 * limits itself. It stands behind the handler of TLS, and an {@link EmptyRecordLimit} in front of that.
 */
final class JdkLimits extends ChannelInboundHandlerAdapter {
    private final SSLEngine engine;

    JdkLimits(SSLEngine engine) {
        this.engine = engine;
    }

    /** Begins to limit a connection, to a client or an endpoint, at the end of its handshake. */
    static void begin(ChannelPipeline pipeline, SSLEngine engine) {
        pipeline.get(EmptyRecordLimit.class).count(pipeline);
        if (engine.getSession().getProtocol().equals(SslProtocols.TLS_v1_2)) {
            pipeline.addLast(new NoRenegotiation(engine));
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake && handshake.isSuccess()) {
            begin(ctx.pipeline(), engine);
            ctx.pipeline().remove(this);
        }
        ctx.fireUserEventTriggered(event);
    }
}
