package io.sluice.loadtest.experiments.driver;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Opens up to a number of connections to this machine, and replaces lost ones. */
final class Connections {

    private static final long RETRY_MILLIS = 100;

    private final Bootstrap bootstrap;
    private final EventLoop loop;
    private final ChannelGroup channels;
    private final Pacing pacing;
    private final InetSocketAddress server;
    private final int wanted;
    private final CompletableFuture<Void> open = new CompletableFuture<>();
    /** The connections that were opened before the last of the initial ones; null from then on. */
    private @Nullable List<Connection> early = new ArrayList<>();
    /** The number of connections that are open or being opened, if they are opened on demand; else -1. */
    private int needed = -1;
    private int begun;
    private boolean closed;

    Connections(Transport transport, EventLoop loop, int port, int wanted, Pacing pacing,
            Dialect dialect) {
        this.loop = loop;
        channels = new DefaultChannelGroup(loop);
        this.pacing = pacing;
        this.wanted = wanted;
        server = new InetSocketAddress("127.0.0.1", port);
        bootstrap = new Bootstrap()
                .group(loop)
                .channel(transport.channel())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 5_000)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channels.add(channel);
                        dialect.install(channel.pipeline(), Connections.this);
                    }
                });
        transport.sharePorts(bootstrap);
    }

    /**
     * Opens all connections. Completes when all are open and their load has begun; fails if one is not
     * accepted.
     */
    CompletableFuture<Void> open() {
        for (int n = 0; n < wanted; n++) {
            connect();
        }
        return open;
    }

    /**
     * Begins the load, and opens the connections one after the other within a time. One that is not accepted
     * is an error, and is tried again.
     */
    CompletableFuture<Void> openWithin(Duration ramp) {
        begin();
        for (long n = 0; n < wanted; n++) {
            loop.schedule(this::connect, ramp.toNanos() * n / wanted, TimeUnit.NANOSECONDS);
        }
        return open;
    }

    /**
     * Begins the load, and opens a connection whenever none is free. If it is not accepted, one request
     * fails.
     */
    CompletableFuture<Void> openAsNeeded() {
        needed = 0;
        begin();
        return open;
    }

    private void begin() {
        early = null;
        pacing.begin(loop, this::more);
        open.complete(null);
    }

    private void more() {
        if (needed >= 0 && needed < wanted) {
            needed++;
            connect();
        }
    }

    private void connect() {
        if (!closed) {
            var from = SourceAddress.of(begun++ % wanted);
            bootstrap.connect(server, from).addListener((ChannelFuture attempt) -> {
                if (!attempt.isSuccess() && !closed) {
                    failed(attempt.cause());
                }
            });
        }
    }

    private void failed(Throwable cause) {
        if (needed > 0) {
            needed--;
            pacing.refused();
        } else {
            refused(cause);
            loop.schedule(this::connect, RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Counts a connection that was not accepted. Before the load has begun, that is not tried again. */
    void refused(Throwable cause) {
        if (early != null) {
            open.completeExceptionally(cause);
        } else {
            pacing.broken(null);
        }
    }

    /** Adds an open connection. */
    void connected(Connection connection) {
        if (closed) {
            return;
        }
        if (early == null) {
            pacing.free(connection);
            return;
        }
        early.add(connection);
        if (early.size() == wanted) {
            var all = early;
            begin();
            all.forEach(pacing::free);
        }
    }

    void free(Connection connection) {
        if (!closed) {
            pacing.free(connection);
        }
    }

    void answered(Exchange exchange, AnswerClass answer, long bytes) {
        pacing.answered(exchange, answer, bytes, System.nanoTime());
    }

    /** Removes a closed connection; {@code exchange} is its request without a response, or null. */
    void lost(Connection connection, @Nullable Exchange exchange) {
        if (closed) {
            return;
        }
        if (early != null) {
            early.remove(connection);
        }
        pacing.gone(connection);
        if (exchange != null) {
            pacing.broken(exchange);
        }
        if (needed > 0) {
            needed--;
        } else {
            connect();
        }
    }

    /** Ends the load: closes all connections, and sends, counts and replaces nothing any more. */
    void close() {
        closed = true;
        channels.close(); // an event loop that ends in the middle of a ramp leaves them open
    }
}
