package io.sluice.handlers.upstream.connect;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.sluice.config.type.EndpointUrl;
import io.sluice.handlers.upstream.endpoint.EndpointAddresses;
import io.sluice.handlers.upstream.endpoint.ProxyHeaderEncoder;
import io.sluice.offload.LocalShortage;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Opens connections by TCP, and by TLS if the endpoint's URL is https, both within one time limit. */
public final class TcpConnector implements Connector {
    /** The time for the endpoint to accept the last bytes of a connection that is closed. */
    private static final long CLOSE_NOTIFY_MILLIS = 100;

    private final Target target;
    private final EventLoop loop;
    private final Bootstrap client;
    private final Duration timeout;
    /** Indicates whether TLS offers HTTP/1.1 only, so that an endpoint may refuse it. */
    private final boolean http1Only;

    /**
     * The endpoint of the connections.
     *
     * @param observer is told of each attempt
     * @param tls secures connections if the URL is https
     * @param proxyHeader whether connections begin with a PROXY header
     */
    public record Target(EndpointUrl url, EndpointAddresses addresses, Consumer<ChannelFuture> observer,
                         UpstreamTls tls, boolean proxyHeader) {
    }

    /** Creates a connector, whose bootstrap has the same time limit for TCP. */
    public TcpConnector(Target target, EventLoop loop, Bootstrap client, Duration timeout) {
        this(target, loop, client, timeout, false);
    }

    private TcpConnector(Target target, EventLoop loop, Bootstrap client, Duration timeout,
                         boolean http1Only) {
        this.target = target;
        this.loop = loop;
        this.client = client;
        this.timeout = timeout;
        this.http1Only = http1Only;
    }

    /**
     * Returns a connector whose connections offer no other protocol than HTTP/1.1. If a handshake of TLS
     * fails, the cause is a {@link Http1RefusedException}, unless the endpoint has not answered or has closed
     * the connection without an alert.
     */
    public TcpConnector ofHttp1() {
        return new TcpConnector(target, loop, client, timeout, true);
    }

    @Override
    public Opening connect(@Nullable InetSocketAddress forwarded, User user) {
        InetSocketAddress to = target.addresses().preferred();
        var opening = new Connecting(forwarded, to, user, loop.ticker().nanoTime() + timeout.toNanos());
        ChannelFuture connecting = client.clone(loop).handler(opening).connect(to);
        target.observer().accept(connecting);
        opening.start(connecting);
        return opening;
    }

    /** A connection that is being opened, the only handler of its own in the pipeline until it is open. */
    private final class Connecting extends ChannelInboundHandlerAdapter implements Opening {
        private final @Nullable InetSocketAddress forwarded;
        private final @Nullable InetSocketAddress to;
        private final long endNanos;
        /** Null after the end. */
        private @Nullable User user;
        @SuppressWarnings("NullAway.Init") // set by start(), before all other uses
        private Channel channel;

        Connecting(@Nullable InetSocketAddress forwarded, @Nullable InetSocketAddress to, User user,
                   long endNanos) {
            this.forwarded = forwarded;
            this.to = to;
            this.user = user;
            this.endNanos = endNanos;
        }

        void start(ChannelFuture connecting) {
            channel = connecting.channel();
            connecting.addListener(_ -> {
                Throwable cause = connecting.cause();
                if (cause != null && loop.inEventLoop()) {
                    failed(cause);
                } else if (cause != null) { // there is no socket, and so no channel of the event loop
                    loop.execute(() -> failed(cause));
                }
            });
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            if (target.proxyHeader()) {
                ProxyHeaderEncoder.write(channel, forwarded);
            }
            EndpointUrl url = target.url();
            if (url.secure()) {
                UpstreamTls tls = target.tls();
                SslHandler handler = http1Only ? tls.newHttp1Handler(url.host(), url.port())
                        : tls.newHandler(url.host(), url.port());
                long left = TimeUnit.NANOSECONDS.toMillis(endNanos - loop.ticker().nanoTime());
                handler.setHandshakeTimeoutMillis(Math.max(1, left));
                handler.setCloseNotifyFlushTimeoutMillis(CLOSE_NOTIFY_MILLIS);
                tls.addTo(ctx.pipeline(), handler);
            } else {
                connected(false);
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event instanceof SslHandshakeCompletionEvent handshake) {
                if (handshake.isSuccess()) {
                    ctx.pipeline().addLast(new TlsClosure());
                    connected(ApplicationProtocolNames.HTTP_2.equals(
                            ctx.pipeline().get(SslHandler.class).applicationProtocol()));
                } else {
                    Throwable cause = handshake.cause();
                    failed(http1Only && cause instanceof SSLException
                            && !(cause instanceof SslHandshakeTimeoutException)
                            ? new Http1RefusedException(cause) : cause);
                }
            }
        }

        private void connected(boolean http2) {
            if (user != null) {
                User waiting = user;
                user = null;
                channel.pipeline().remove(this);
                waiting.connected(channel, http2);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            failed(cause);
        }

        private void failed(Throwable cause) {
            close();
            if (user != null) {
                User waiting = user;
                user = null;
                if (to != null && !(cause instanceof Http1RefusedException)
                        && (!LocalShortage.is(cause) || LocalShortage.isOfAddress(cause))) {
                    target.addresses().unreachable(to);
                }
                waiting.failed(cause);
            }
        }

        @Override
        public void cancel() {
            user = null;
            close();
        }

        private void close() {
            if (channel.isOpen()) {
                channel.close();
            }
        }
    }
}
