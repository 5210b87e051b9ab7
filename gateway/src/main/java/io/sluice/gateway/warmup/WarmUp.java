package io.sluice.gateway.warmup;

import io.sluice.gateway.net.OpenPort;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests to {@link WarmUpRoutes} over loopback, in HTTP/1.1, HTTP/2 and a WebSocket, until their
 * response times no longer improve. By then, the JVM has compiled the code that the first clients would have
 * waited for, and connection pools are filled. The warm-up ends early at its time limit, or when a client has
 * connected.
 */
public final class WarmUp implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WarmUp.class);

    /** The minimum, so that a pause of the compiler is not mistaken for its end. */
    private static final int MIN_ROUNDS = 100;
    private static final int REQUESTS_OF_A_ROUND = 100;
    /** The warm-up is complete after this many rounds that were not notably faster than the best before. */
    private static final int ROUNDS_WITHOUT_IMPROVEMENT = 20;
    /** A round improves on the best if it takes less than this part of its time. */
    private static final double IMPROVEMENT = 0.95;
    private static final byte[] HANDSHAKE = WarmUpRequest.bytes("""
            GET %s HTTP/1.1
            Host: localhost
            Connection: Upgrade
            Upgrade: websocket
            Sec-WebSocket-Version: 13
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==

            """.formatted(WarmUpRoutes.SOCKET_PATH));
    /** A text frame with four letters and a mask of zeros; the reply is not masked. */
    private static final byte[] FRAME = {(byte) 0x81, (byte) 0x84, 0, 0, 0, 0, 'w', 'a', 'r', 'm'};
    private static final int ANSWER = 6;

    private final WarmUpRoutes routes;
    private final OpenPort port;
    private final BooleanSupplier clientConnected;
    private final Runnable done;
    private final long begun = System.nanoTime();
    private final long limit;
    private final Thread thread = Thread.ofPlatform().name("warm-up").daemon().unstarted(this::run);

    private WarmUp(Duration limit, WarmUpRoutes routes, OpenPort port, BooleanSupplier clientConnected,
                   Runnable done) {
        this.limit = limit.toNanos();
        this.routes = routes;
        this.port = port;
        this.clientConnected = clientConnected;
        this.done = done;
    }

    /**
     * Starts the warm-up on a separate thread.
     *
     * @param limit the time limit
     * @param routes the routes; closed at the end
     * @param port the port that serves them; closed at the end
     * @param clientConnected whether a client has connected, which must not wait for the warm-up
     * @param done runs at the end, on that thread
     */
    public static WarmUp start(Duration limit, WarmUpRoutes routes, OpenPort port,
                               BooleanSupplier clientConnected, Runnable done) {
        var started = new WarmUp(limit, routes, port, clientConnected, done);
        started.thread.start();
        return started;
    }

    private void run() {
        try (routes; port) {
            routes.serve(port.port());
            exercise();
        } catch (IOException | RuntimeException e) {
            log.warn("warm-up failed: the gateway's requests to itself ended early", e);
        } finally {
            done.run();
        }
    }

    private void exercise() throws IOException {
        try (var http1 = new WarmUpHttp1Client(port.port());
                var http2 = new WarmUpHttp2Client(port.port());
                var socket = new WarmUpHttp1Client(port.port())) {
            socket.upgrade(HANDSHAKE);
            var requests = new ArrayList<WarmUpRequest>();
            for (WarmUpRequest request : routes.requests()) {
                if (http1.request(request) == 200) { // leaves out a query that a database does not understand
                    requests.add(request);
                }
            }
            long best = Long.MAX_VALUE;
            int withoutImprovement = 0;
            int rounds = 0;
            while (mayContinue() && (rounds < MIN_ROUNDS || withoutImprovement < ROUNDS_WITHOUT_IMPROVEMENT
                    || !routes.connected())) {
                long took = round(requests, List.of(http1, http2), socket);
                withoutImprovement = took < best * IMPROVEMENT ? 0 : withoutImprovement + 1;
                best = Math.min(best, took);
                rounds++;
            }
            String end = clientConnected.getAsBoolean() ? "warm-up ended, as a client connected, after"
                    : "warmed up in";
            log.info("{} {} ms with {} requests of {} kinds", end,
                    (System.nanoTime() - begun) / 1_000_000, rounds * REQUESTS_OF_A_ROUND, requests.size());
        }
    }

    private boolean mayContinue() {
        return System.nanoTime() - begun < limit && !clientConnected.getAsBoolean()
                && !Thread.currentThread().isInterrupted();
    }

    /** Runs a round and returns its duration in nanoseconds. */
    private static long round(List<WarmUpRequest> requests, List<WarmUpClient> clients,
                              WarmUpHttp1Client socket) throws IOException {
        long start = System.nanoTime();
        for (int i = 0; i < REQUESTS_OF_A_ROUND; i++) {
            int next = i / clients.size() % (requests.size() + 1);
            if (next == requests.size()) {
                socket.frame(FRAME, ANSWER);
            } else {
                clients.get(i % clients.size()).request(requests.get(next));
            }
        }
        return System.nanoTime() - start;
    }

    /** Ends the warm-up; blocks until that is done. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
