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

/**
 * A running load on one port of this machine, with a thread of its own; it goes on until it is closed.
 * One measured phase at a time.
 */
public final class Load implements AutoCloseable {

    private static final Duration CONNECTING = Duration.ofSeconds(20);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final EventLoopGroup group;
    private final Pacing pacing;
    private final Connections connections;
    /** What begins it, on its event loop; null once it has begun. */
    private Runnable beginning;

    private Load(int port, int connections, Pacing pacing, Dialect dialect) {
        var transport = Transport.best();
        group = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("load-" + port, true), transport.handler());
        this.pacing = pacing;
        this.connections = new Connections(transport, group.next(), port, connections, pacing, dialect);
    }

    /**
     * So many users, each of whom asks again as soon as the answer is there; returns when all are
     * connected.
     */
    public static Load closed(int port, int connections, RequestSource source)
            throws TimeoutException, InterruptedException {
        return new Load(port, connections, new ClosedLoop(source, Duration.ZERO), Dialect.http())
                .begun(port, connections, Connections::open);
    }

    /**
     * So many users, who come one after the other within {@code ramp}, each on a connection of its own, and
     * wait for {@code pause} before each request. The first comes when the first phase begins.
     */
    public static Load returning(int port, int users, Duration ramp, Duration pause, RequestSource source) {
        var load = new Load(port, users, new ClosedLoop(source, pause), Dialect.http());
        load.beginning = () -> load.connections.openWithin(ramp);
        return load;
    }

    /**
     * So many WebSockets, each of which sends a text again as soon as it has come back; returns when all
     * are open.
     */
    public static Load echo(int port, int sockets, String path, String text)
            throws TimeoutException, InterruptedException {
        var frame = new Request(path, Frames.text(text));
        return new Load(port, sockets, new ClosedLoop(() -> frame, Duration.ZERO), Dialect.webSocket(path))
                .begun(port, sockets, Connections::open);
    }

    /**
     * So many requests a second, whatever becomes of them; returns when all connections are there.
     *
     * @param connections how many requests can be in flight; more wait, which counts in their latency
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

    /**
     * So many requests a second, on connections that are made when a request finds none that is free; what
     * finds none that can be made is an error. The first comes when the first phase begins.
     *
     * @param atMost how many connections there can be; what more would need waits
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
            throw new IllegalStateException("127.0.0.1:%d: %s (expected: %d connections)"
                    .formatted(port, e.getCause().getMessage(), wanted), e);
        }
    }

    /** Starts a measured phase; the answers come when it is over and the last of them is there. */
    public CompletableFuture<Answers> measure(Duration duration) {
        var result = new CompletableFuture<Answers>();
        group.execute(() -> {
            begin(); // in one step with what follows, so that the first request counts
            pacing.measure(duration, result);
        });
        return result.orTimeout(duration.plus(PATIENCE).plus(PATIENCE).toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Measures nothing for so long. */
    public void warmUp(Duration duration) throws InterruptedException {
        group.execute(this::begin);
        Thread.sleep(duration); // time is what a warm-up consists of
    }

    private void begin() {
        if (beginning != null) {
            beginning.run();
            beginning = null;
        }
    }

    /** Ends the load, whatever is in flight; blocks until its connections are closed. */
    @Override
    public void close() {
        group.execute(connections::close);
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
    }
}
