package io.sluice.gateway.tls;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a connection of TLS 1.2 whose client begins another handshake (RFC 5746), which costs it nothing and
 * us a signature. BoringSSL refuses that by itself; the JDK has only a switch for the whole process, which it
 * looks at before it is first used.
 */
final class NoRenegotiation extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(NoRenegotiation.class);

    private final SSLEngine engine;

    NoRenegotiation(SSLEngine engine) {
        this.engine = engine;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        // A handshake waits for the client twice: it has not ended by now.
        if (engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING) {
            ctx.fireChannelReadComplete();
        } else {
            log.debug("{} wants to renegotiate", ctx.channel());
            ctx.close();
        }
    }
}
