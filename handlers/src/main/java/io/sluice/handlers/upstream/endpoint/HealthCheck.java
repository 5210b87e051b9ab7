package io.sluice.handlers.upstream.endpoint;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.Future;
import io.sluice.config.upstream.HealthConfig;
import io.sluice.offload.LocalShortage;
import java.net.InetSocketAddress;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Active checks of one endpoint, each on a connection of its own. Runs on an event loop that serves no
 * clients, so that busy ones do not make endpoints look slow.
 */
public final class HealthCheck implements AutoCloseable {
    private static final int MAX_CONNECT_MILLIS = 60_000;

    private final HealthConfig config;
    private final EventLoop loop;
    private final Bootstrap client;
    private final Target target;
    private final Listener listener;
    /** Passed checks in a row, or failed ones as a negative number. */
    private int streak;
    /** Null before the first check and after the end. */
    private @Nullable Future<?> next;
    /** The connection of the check under way; null if there is none. */
    private @Nullable Channel checked;
    private boolean closed;

    /**
     * The target of the checks.
     *
     * @param address the address of the next check; null while there is none
     * @param authority the value of Host
     * @param http whether an HTTP/1.1 response is expected; otherwise an open connection suffices
     * @param proxyHeader whether the connection begins with a PROXY header
     */
    public record Target(Supplier<@Nullable InetSocketAddress> address, String authority, boolean http,
                         boolean proxyHeader) {
    }

    /** Receives the results of checks, on the event loop. */
    public interface Listener {
        /** Called with each check that makes at least {@code up-after} passed ones in a row. */
        void passed();

        /** Called with each check that makes at least {@code down-after} failed ones in a row. */
        void failed();

        /** Called with an address to which a check could open no connection: the next one tries another. */
        void unreachable(InetSocketAddress address);
    }

    private HealthCheck(HealthConfig config, EventLoop loop, Bootstrap client, Target target,
                        Listener listener) {
        this.config = config;
        this.loop = loop;
        this.target = target;
        this.listener = listener;
        this.client = client.clone(loop).option(ChannelOption.CONNECT_TIMEOUT_MILLIS,
                (int) Math.min(MAX_CONNECT_MILLIS, config.timeout().toMillis()))
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new HttpClientCodec(), new Answer());
                    }
                });
    }

    /** Starts checks, the first at once. */
    public static HealthCheck start(HealthConfig config, EventLoop loop, Bootstrap client, Target target,
                                    Listener listener) {
        var check = new HealthCheck(config, loop, client, target, listener);
        loop.execute(check::check);
        return check;
    }

    private void check() {
        if (closed) {
            return;
        }
        long nanos = config.interval().toNanos();
        long jittered = nanos + ThreadLocalRandom.current().nextLong(-nanos / 10, nanos / 10 + 1);
        next = loop.schedule(this::check, jittered, TimeUnit.NANOSECONDS);
        if (checked != null) {
            return; // timeout is longer than interval
        }
        InetSocketAddress address = target.address().get();
        if (address != null) {
            begin(client.connect(address), address);
        }
    }

    private void begin(ChannelFuture connecting, InetSocketAddress address) {
        checked = connecting.channel();
        if (connecting.cause() != null) { // there is no socket, and so no channel of the event loop
            failed(connecting, address);
            return;
        }
        Future<?> late = loop.schedule(() -> end(connecting.channel(), false), config.timeout().toNanos(),
                TimeUnit.NANOSECONDS);
        connecting.channel().closeFuture().addListener(_ -> {
            late.cancel(false);
            if (connecting.isSuccess()) { // otherwise the cause is examined below
                end(connecting.channel(), false);
            }
        });
        connecting.addListener(_ -> {
            if (connecting.isSuccess()) {
                connected(connecting.channel());
            } else {
                failed(connecting, address);
            }
        });
    }

    private void connected(Channel channel) {
        if (target.proxyHeader()) {
            ProxyHeaderEncoder.write(channel, null);
        }
        if (!target.http()) {
            channel.flush();
            end(channel, true);
            return;
        }
        var request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, config.path());
        request.headers().set(HttpHeaderNames.HOST, target.authority())
                .set(HttpHeaderNames.USER_AGENT, "sluice-health-check")
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        channel.writeAndFlush(request);
    }

    /** Ends the check under way; a further call for its connection does nothing. */
    private void end(Channel channel, boolean passed) {
        if (channel != checked) {
            return;
        }
        checked = null;
        channel.close();
        count(passed);
    }

    /** Ends a check that got no connection. A shortage of this host says nothing about the endpoint. */
    private void failed(ChannelFuture connecting, InetSocketAddress address) {
        boolean shortage = LocalShortage.is(connecting.cause());
        if (!shortage || LocalShortage.isOfAddress(connecting.cause())) {
            listener.unreachable(address);
        }
        if (connecting.channel() == checked) {
            checked = null;
            if (!shortage) {
                count(false);
            }
        }
    }

    private void count(boolean passed) {
        streak = passed ? Math.max(0, streak) + 1 : Math.min(0, streak) - 1;
        if (closed) {
            return;
        }
        if (streak >= config.upAfter()) {
            listener.passed();
        } else if (-streak >= config.downAfter()) {
            listener.failed();
        }
    }

    @Override
    public void close() {
        loop.execute(() -> {
            closed = true;
            if (next != null) {
                next.cancel(false);
            }
            if (checked != null) {
                end(checked, false);
            }
        });
    }

    /** Takes the status of the response. */
    private final class Answer extends SimpleChannelInboundHandler<HttpObject> {
        @Override
        protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
            if (message instanceof HttpResponse head && head.status().code() >= 200) {
                end(ctx.channel(), head.decoderResult().isSuccess() && head.status().code() < 400);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            end(ctx.channel(), false);
        }
    }
}
