package io.sluice.handlers.upstream;

import io.netty.util.concurrent.Ticker;
import io.sluice.config.UpstreamConfig;
import io.sluice.config.type.EndpointUrl;
import io.sluice.handlers.upstream.EndpointStats.State;
import io.sluice.handlers.upstream.UpstreamException.Stage;
import io.sluice.handlers.upstream.connect.Http1RefusedException;
import io.sluice.handlers.upstream.endpoint.CircuitBreaker;
import io.sluice.handlers.upstream.endpoint.ConnectionCounts;
import io.sluice.handlers.upstream.endpoint.DownNotice;
import io.sluice.handlers.upstream.endpoint.EndpointAddresses;
import io.sluice.handlers.upstream.endpoint.FirstByteTime;
import io.sluice.handlers.upstream.endpoint.SlowStart;
import io.sluice.offload.ClientNetwork;
import io.sluice.offload.LocalShortage;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server of an upstream, with its load and its health. Any thread. */
public final class Endpoint {
    private static final Logger log = LoggerFactory.getLogger(Endpoint.class);

    private final String upstream;
    private final String id;
    private final EndpointUrl url;
    private final int weight;
    private final SlowStart slowStart;
    private final Ticker clock;
    private final CircuitBreaker circuit;
    /** The time to first byte over all routes. */
    private final FirstByteTime firstByte = new FirstByteTime();
    private final AtomicInteger inFlight = new AtomicInteger();
    /** The requests that wait for a connection, or for a stream on one. */
    private final AtomicInteger waiting = new AtomicInteger();
    private final LongAdder unexpectedBytes = new LongAdder();
    private final EndpointAddresses addresses = new EndpointAddresses();
    private final ConnectionCounts connections = new ConnectionCounts();
    /** The number of failures at each stage, by the stage's ordinal. */
    private final LongAdder[] failures = Stream.generate(LongAdder::new).limit(Stage.values().length)
            .toArray(LongAdder[]::new);
    private final DownNotice downNotice = new DownNotice();
    private volatile boolean draining;

    /**
     * Creates an endpoint that is up.
     *
     * @param id by which it is hashed and logged, the same on every gateway
     * @param severalClients whether the upstream has had several clients lately
     */
    Endpoint(String upstream, UpstreamConfig config, String id, EndpointUrl url, int weight,
             BooleanSupplier severalClients, Ticker clock) {
        this.upstream = upstream;
        this.id = id;
        this.url = url;
        this.weight = weight;
        this.clock = clock;
        slowStart = new SlowStart(config.slowStart(), clock);
        circuit = new CircuitBreaker(config.circuit(), config.deadline(), severalClients);
    }

    EndpointUrl url() {
        return url;
    }

    /** Returns the value of Host for requests to this endpoint. */
    public String authority() {
        return url.authority();
    }

    EndpointAddresses addresses() {
        return addresses;
    }

    /** Called when the addresses have changed: failures at the former ones say nothing about these. */
    void moved() {
        circuit.moved(clock.nanoTime());
    }

    /** Ends the use of an endpoint that has no address any more. */
    void drain() {
        draining = true;
    }

    boolean isDraining() {
        return draining;
    }

    // --- requests

    /** Returns the number of requests that are being served. */
    public int inFlight() {
        return inFlight.get();
    }

    /** Returns whether requests are being served, or wait for a connection. */
    public boolean isUsed() {
        return inFlight.get() + waiting.get() > 0;
    }

    /** Counts a request that begins to wait for a connection. */
    public void waitBegan() {
        waiting.incrementAndGet();
    }

    /** Counts the end of such a wait, with a connection or without one. */
    public void waitEnded() {
        waiting.decrementAndGet();
    }

    ConnectionCounts connections() {
        return connections;
    }

    /** Counts a request; returns the time for {@link #responded} and {@link #cancelled}. */
    long began(EndpointResponses ofRoute) {
        long now = clock.nanoTime();
        inFlight.incrementAndGet();
        ofRoute.began(now);
        return now;
    }

    /**
     * Called with the head of the final response, or of a 101.
     *
     * @param error whether it is an error of the server
     */
    void responded(long began, boolean error, EndpointResponses ofRoute) {
        long now = clock.nanoTime();
        firstByte.add(now - began, now);
        ofRoute.responded(now - began, error, now);
        ofRoute.ended();
        if (circuit.succeeded()) {
            startSlowly();
        }
        logUp("after a response");
    }

    /** Called if a request is given up before its response begins. */
    void cancelled(long began, EndpointResponses ofRoute) {
        long now = clock.nanoTime();
        firstByte.addUnended(now - began, now);
        ofRoute.cancelled(now - began, now);
    }

    /** Called if a request is lost before its response begins, by a failure of this endpoint. */
    void lost(EndpointResponses ofRoute, @Nullable Throwable cause) {
        if (!LocalShortage.is(cause)) {
            ofRoute.lost(clock.nanoTime());
        }
    }

    /** Returns the claim of a request for which this endpoint has been chosen. */
    public CircuitBreaker.Claim claim() {
        return circuit.claim();
    }

    /**
     * Called if a request ends without a response: it may have been the probe.
     *
     * @param failed false if that proves nothing about the endpoint, as its client has left
     */
    public void endedUnanswered(CircuitBreaker.Claim claim, boolean failed) {
        circuit.ended(claim, failed, clock.nanoTime());
    }

    /**
     * Counts a failed request, but not a shortage of this process, which says nothing about the endpoint. A
     * refusal of HTTP/1.1 counts only for the meter. Not to be called for a connection that was idle and
     * closes before a byte: closing it is the endpoint's right.
     *
     * @param client null if no connection could be opened
     */
    void failed(Stage stage, @Nullable ClientNetwork client, @Nullable Throwable cause) {
        meter(stage, cause);
        if (LocalShortage.is(cause) || cause instanceof Http1RefusedException) {
            return;
        }
        if ((circuit.failed(client, clock.nanoTime()) || !circuit.isClosed()) && downNotice.tryGive()) {
            log.warn("upstream {}: {} is down after failures in a row, the last one {}: {}; it gets single "
                    + "requests as probes: check that it runs and can be reached", upstream, this, stage,
                    UpstreamException.reason(cause));
        }
    }

    /** Counts a failed request only for the meter: its response has begun, or another one counts for both. */
    void meter(Stage stage, @Nullable Throwable cause) {
        if (!LocalShortage.is(cause)) {
            failures[stage.ordinal()].increment();
        }
    }

    /** Counts a connection that has sent bytes which belong to no request. */
    void unexpectedBytes() {
        unexpectedBytes.increment();
    }

    void ended() {
        inFlight.decrementAndGet();
    }

    // --- choice

    /** Returns whether this endpoint gets requests. */
    boolean isUp() {
        return circuit.isClosed() && !draining;
    }

    /** Claims the one request that a failed endpoint gets when its back-off has passed. */
    boolean claimProbe(long now) {
        return !draining && circuit.claimProbe(now);
    }

    /** Claims the one request that a failed endpoint gets while no endpoint is up; true if it is up again. */
    boolean claimEarlyProbe(long now) {
        boolean claimed = !draining && circuit.claimEarlyProbe(now);
        if (claimed) {
            logUp("as only requests of one client failed");
        }
        return claimed;
    }

    int weight() {
        return weight;
    }

    /** Returns the requests in flight and those on their way to it, relative to the weight. */
    double load() {
        return (double) (inFlight.get() + waiting.get()) / weight;
    }

    /** Returns the part of the weight that counts: 1 but in a slow start. */
    double share(long now) {
        return slowStart.share(now);
    }

    /** Begins a slow start. */
    void startSlowly() {
        slowStart.begin();
    }

    // --- active checks

    void checkPassed() {
        if (circuit.checksPassed()) {
            startSlowly();
        }
        logUp("as its checks pass");
    }

    void checkFailed() {
        if ((circuit.checksFailed(clock.nanoTime()) || !circuit.isClosed()) && downNotice.tryGive()) {
            log.warn("upstream {}: {} is down, as its health checks fail: check that it runs, can be "
                    + "reached, and answers the path of `health` with 2xx or 3xx", upstream, this);
        }
    }

    /** Logs the return of an endpoint that is up. It may have come back before its failure was logged. */
    private void logUp(String why) {
        if (circuit.isClosed() && downNotice.tryTakeBack()) {
            log.info("upstream {}: {} is up again {}", upstream, this, why);
        }
    }

    // --- stats

    EndpointStats stats(int idle) {
        long now = clock.nanoTime();
        Map<Stage, Long> counts = Stream.of(Stage.values()).collect(
                Collectors.toUnmodifiableMap(stage -> stage, stage -> failures[stage.ordinal()].sum()));
        return new EndpointStats(id, url.toString(), addresses.preferredText(), state(), inFlight.get(),
                connections.connecting(), connections.open(), idle,
                Duration.ofNanos(firstByte.nanos(now)), weight, share(now), counts,
                unexpectedBytes.sum());
    }

    private State state() {
        if (draining) {
            return State.DRAINING;
        }
        return addresses.all().isEmpty() ? State.DOWN : switch (circuit.state()) {
            case CLOSED -> State.UP;
            case OPEN -> State.DOWN;
            case PROBING -> State.PROBING;
        };
    }

    @Override
    public String toString() {
        return id;
    }
}
