package io.sluice.gateway.peer;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.haproxy.HAProxyCommand;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.handler.codec.haproxy.HAProxyProxiedProtocol;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import io.sluice.config.ServerConfig;
import io.sluice.config.type.IpLiteral;
import io.sluice.gateway.limits.ConnectionLimits;
import io.sluice.gateway.limits.ConnectionLimits.Reason;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requires a connection to start with a PROXY header, version 1 or 2, which carries the client's address. A
 * connection without one is closed. After the header, this handler removes itself, and the rest of the input,
 * TLS or HTTP, goes to the handlers behind it.
 */
public final class ProxyHeaderDecoder extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(ProxyHeaderDecoder.class);
    /** The time limit for the header. The PROXY protocol demands at least 3 s, to allow for a lost packet. */
    private static final long TIMEOUT_SECONDS = 5;
    /**
     * The limit of extensions in bytes: enough for names, ids and a certificate, all of which are ignored.
     */
    private static final int MAX_EXTENSIONS = 4 * 1024;

    private final ServerConfig config;
    private final ConnectionLimits limits;
    private Future<?> timer;
    private boolean refused;

    private ProxyHeaderDecoder(ServerConfig config, ConnectionLimits limits) {
        this.config = config;
        this.limits = limits;
    }

    /** Returns an initializer that puts this handler in front of those of another one. */
    public static ChannelHandler before(ChannelHandler initializer, ServerConfig config,
                                        ConnectionLimits limits) {
        return new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new ProxyHeaderDecoder(config, limits)).addLast(initializer);
            }
        };
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        context.pipeline().addBefore(context.name(), null, new HAProxyMessageDecoder(MAX_EXTENSIONS));
        timer = context.executor().schedule(
                () -> refuse(context, "no PROXY header in time"),
                TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        if (!config.trustedProxies().isEmpty() && !config.trusts(peer(context))) {
            refuse(context, "not from a trusted proxy");
        }
        context.fireChannelActive();
    }

    private static InetAddress peer(ChannelHandlerContext context) {
        return ((InetSocketAddress) context.channel().remoteAddress()).getAddress();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (refused || !(message instanceof HAProxyMessage header)) {
            ReferenceCountUtil.release(message);
            return;
        }
        try {
            take(context, header);
        } finally {
            header.release();
        }
    }

    private void take(ChannelHandlerContext context, HAProxyMessage header) {
        InetAddress source = peer(context);
        if (carriesAddress(header)) {
            source = IpLiteral.parse(header.sourceAddress());
            if (source == null) {
                refuse(context, "not an address: " + header.sourceAddress());
                return;
            }
            PeerAddress.set(context.channel(), new InetSocketAddress(source, header.sourcePort()));
        } else {
            PeerAddress.set(context.channel(), (InetSocketAddress) context.channel().remoteAddress());
        }
        if (limits.admitFrom(source, context.channel())) {
            context.pipeline().remove(this);
        } else {
            refuse(context, source, Reason.ADDRESS, "too many from " + source);
        }
    }

    /**
     * Returns whether the header carries the client's address: not for connections of the proxy itself, nor
     * for other address families.
     */
    private static boolean carriesAddress(HAProxyMessage header) {
        HAProxyProxiedProtocol protocol = header.proxiedProtocol();
        return header.command() == HAProxyCommand.PROXY
                && (protocol == HAProxyProxiedProtocol.TCP4 || protocol == HAProxyProxiedProtocol.TCP6);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof DecoderException) {
            refuse(context, String.valueOf(cause.getMessage()));
        } else {
            log.debug("a connection broke", cause);
            context.close();
        }
    }

    private void refuse(ChannelHandlerContext context, String detail) {
        refuse(context, peer(context), Reason.PROXY_HEADER, detail);
    }

    private void refuse(ChannelHandlerContext context, InetAddress source, Reason reason, String detail) {
        // The decoder continues with the rest of the input, and may find that malformed too.
        if (refused) {
            return;
        }
        refused = true;
        log.debug("a connection from {} is closed: {}", context.channel().remoteAddress(), detail);
        limits.recordRejection(source, reason);
        if (context.channel().isOpen()) {
            context.channel().config().setOption(ChannelOption.SO_LINGER, 0);
            context.close();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        timer.cancel(false);
    }
}
