package io.sluice.gateway.tls;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a TLS 1.2 connection whose peer starts a renegotiation (RFC 5746), which costs the peer nothing and
 * the gateway a signature, or the check of one. BoringSSL rejects that itself. The JDK has only a switch for
 * the whole process, which is read before its first use.
 */
final class NoRenegotiation extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(NoRenegotiation.class);

    private final SSLEngine engine;

    NoRenegotiation(SSLEngine engine) {
        this.engine = engine;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        // The peer must send two flights, so the handshake cannot be complete yet.
        if (engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING) {
            ctx.fireChannelReadComplete();
        } else {
            log.debug("{} wants to renegotiate", ctx.channel());
            ctx.close();
        }
    }
}
