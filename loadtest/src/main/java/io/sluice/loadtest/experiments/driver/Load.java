package io.sluice.loadtest.experiments.driver;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A running load on one port of this machine, with a separate thread. It runs until it is closed, and
 * measures one phase at a time.
 */
public final class Load implements AutoCloseable {

    private static final Duration CONNECTING = Duration.ofSeconds(20);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final EventLoopGroup group;
    private final Pacing pacing;
    private final Connections connections;
    /** Starts the load, on its event loop; null once it has started. */
    private @Nullable Runnable beginning;

    private Load(int port, int connections, Pacing pacing, Dialect dialect) {
        var transport = Transport.best();
        group = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("load-" + port, true), transport.handler());
        this.pacing = pacing;
        this.connections = new Connections(transport, group.next(), port, connections, pacing, dialect);
    }

    /**
     * Users in a closed loop, each of whom sends the next request at the response; returns when all are
     * connected.
     */
    public static Load closed(int port, int connections, RequestSource source)
            throws TimeoutException, InterruptedException {
        return new Load(port, connections, new ClosedLoop(source, Duration.ZERO), Dialect.http())
                .begun(port, connections, Connections::open);
    }

    /**
     * Users who arrive one after the other within {@code ramp}, each on a separate connection, and wait for
     * {@code pause} before each request. The first one arrives when the first phase begins.
     */
    public static Load returning(int port, int users, Duration ramp, Duration pause, RequestSource source) {
        var load = new Load(port, users, new ClosedLoop(source, pause), Dialect.http());
        load.beginning = () -> load.connections.openWithin(ramp);
        return load;
    }

    /** WebSockets that each send a text again as soon as it has been echoed; returns when all are open. */
    public static Load echo(int port, int sockets, String path, String text)
            throws TimeoutException, InterruptedException {
        var frame = new Request(path, Frames.text(text));
        return new Load(port, sockets, new ClosedLoop(() -> frame, Duration.ZERO), Dialect.webSocket(path))
                .begun(port, sockets, Connections::open);
    }

    /**
     * An open loop on a fixed number of connections; returns when all are open.
     *
     * @param connections the limit of requests in flight; further ones wait, which counts in their latency
     */
    public static Load open(int port, int connections, Arrivals arrivals, RequestSource source)
            throws TimeoutException, InterruptedException {
        return open(port, connections, arrivals, source, PATIENCE);
    }

    static Load open(int port, int connections, Arrivals arrivals, RequestSource source, Duration patience)
            throws TimeoutException, InterruptedException {
        return new Load(port, connections, new OpenLoop(arrivals, source, patience), Dialect.http())
                .begun(port, connections, Connections::open);
    }

    /** An open loop over TLS, otherwise as {@link #open(int, int, Arrivals, RequestSource)}. */
    public static Load openTls(int port, int connections, Arrivals arrivals, RequestSource source)
            throws TimeoutException, InterruptedException {
        return new Load(port, connections, new OpenLoop(arrivals, source, PATIENCE), Dialect.https())
                .begun(port, connections, Connections::open);
    }

    /** A closed loop over TLS, otherwise as {@link #closed}. */
    public static Load closedTls(int port, int connections, RequestSource source)
            throws TimeoutException, InterruptedException {
        return new Load(port, connections, new ClosedLoop(source, Duration.ZERO), Dialect.https())
                .begun(port, connections, Connections::open);
    }

    /**
     * An open loop on connections that are opened when none is free; a request that finds none that can be
     * opened is an error. The first one is sent when the first phase begins.
     *
     * @param atMost the limit of connections; requests that would need more wait
     */
    public static Load visits(int port, int atMost, Arrivals arrivals, RequestSource source) {
        var load = new Load(port, atMost, new OpenLoop(arrivals, source, PATIENCE), Dialect.http());
        load.beginning = load.connections::openAsNeeded;
        return load;
    }

    private Load begun(int port, int wanted, Function<Connections, CompletableFuture<Void>> opening)
            throws TimeoutException, InterruptedException {
        try {
            CompletableFuture.supplyAsync(() -> opening.apply(connections), group)
                    .thenCompose(open -> open)
                    .get(CONNECTING.toMillis(), TimeUnit.MILLISECONDS);
            return this;
        } catch (TimeoutException e) {
            close();
            throw new TimeoutException(
                    "127.0.0.1:%d did not accept in time (expected: %d connections in %d s)"
                            .formatted(port, wanted, CONNECTING.toSeconds()));
        } catch (ExecutionException e) {
            close();
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IllegalStateException("127.0.0.1:%d: %s (expected: %d connections)"
                    .formatted(port, cause.getMessage(), wanted), e);
        }
    }

    /** Starts a measured phase. Completes after its end, when its last response has arrived. */
    public CompletableFuture<Answers> measure(Duration duration) {
        var result = new CompletableFuture<Answers>();
        group.execute(() -> {
            begin(); // in the same task, so that the first request counts
            pacing.measure(duration, result);
        });
        return result.orTimeout(duration.plus(PATIENCE).plus(PATIENCE).toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Lets the load run without measuring; blocks for that time. */
    public void warmUp(Duration duration) throws InterruptedException {
        group.execute(this::begin);
        Thread.sleep(duration); // a warm-up is defined by its time
    }

    private void begin() {
        if (beginning != null) {
            beginning.run();
            beginning = null;
        }
    }

    /** Ends the load, even with requests in flight; blocks until its connections are closed. */
    @Override
    public void close() {
        group.execute(connections::close);
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
    }
}
