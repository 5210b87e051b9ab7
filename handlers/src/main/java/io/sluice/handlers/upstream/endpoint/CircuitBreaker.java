package io.sluice.handlers.upstream.endpoint;

import io.sluice.config.UpstreamConfig;
import io.sluice.offload.ClientNetwork;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The decision whether an endpoint gets requests. It gets all of them while the circuit is closed. Failures
 * in a row, or active checks, open it: then it gets one request at a time as a probe, when a back-off has
 * passed or no other endpoint is left (half-open). Any thread.
 *
 * <p>A client can make requests fail, as by input that crashes the application. So failures of one client
 * count once in the time of a back-off where there are others, until another client's is counted or a request
 * succeeds.
 */
public final class CircuitBreaker {
    private static final long NEVER_NANOS = Long.MAX_VALUE / 2;
    private static final Status CLOSED = new Status(State.CLOSED, Reason.REQUESTS, 0, null, 0, 0, 0);

    private final int failures;
    private final long backOffNanos;
    private final long maxBackOffNanos;
    private final long probeNanos;
    private final BooleanSupplier severalClients;
    private final AtomicReference<Status> status = new AtomicReference<>(CLOSED);

    /** The state of a circuit. */
    public enum State {
        /** All requests pass. */
        CLOSED,
        /** No request passes before the next probe. */
        OPEN,
        /** A probe is under way, and no other request passes. */
        PROBING
    }

    private enum Reason { REQUESTS, CONNECTIONS, CHECKS }

    /** The right of a request to end the probe that it is; that of another request ends none. */
    public sealed interface Claim {
    }

    /**
     * The state with its counters and times.
     *
     * @param failures the number of failures in a row, while closed
     * @param client the client of the last of these; while open, that which opened it alone; null for none
     * @param backOffs the number of due probes since it opened
     * @param retryAt the time from which a probe is due; while closed, that from which failures of the same
     *     client count again
     * @param probeEnd the time after which the probe under way is given up for lost
     */
    private record Status(State state, Reason reason, int failures, @Nullable ClientNetwork client,
                          int backOffs, long retryAt, long probeEnd) implements Claim {
        Status open() {
            return open(backOffs, retryAt, probeEnd);
        }

        Status open(int times, long nextRetry, long end) {
            return new Status(State.OPEN, reason, 0, client, times, nextRetry, end);
        }

        Status probing(int times, long nextRetry, long end) {
            return new Status(State.PROBING, reason, 0, client, times, nextRetry, end);
        }

        /** Returns the status after a further failure that leaves the circuit closed. */
        Status failed(@Nullable ClientNetwork by, long countsAgain) {
            return new Status(State.CLOSED, Reason.REQUESTS, failures + 1, by == null ? client : by, 0,
                    countsAgain, 0);
        }
    }

    /**
     * Creates a closed circuit.
     *
     * @param longestRequest the time within which a probe has succeeded or failed
     * @param severalClients whether there are other clients than that of a failure; asked at repeated ones
     */
    public CircuitBreaker(UpstreamConfig.Circuit config, Duration longestRequest,
                          BooleanSupplier severalClients) {
        failures = config.failures();
        backOffNanos = config.backOff().toNanos();
        maxBackOffNanos = config.maxBackOff().toNanos();
        probeNanos = longestRequest.toNanos();
        this.severalClients = severalClients;
    }

    /** Returns whether all requests pass. */
    public boolean isClosed() {
        return status.get().state == State.CLOSED;
    }

    /** Returns the state of the circuit. */
    public State state() {
        return status.get().state;
    }

    /** Claims the probe that is due; false if none is, or it is claimed. The next one backs off further. */
    public boolean claimProbe(long now) {
        Status seen = status.get();
        return mayProbe(seen, now) && seen.retryAt - now <= 0 && status.compareAndSet(seen,
                seen.probing(seen.backOffs + 1, now + backOff(seen.backOffs + 1), now + probeNanos));
    }

    /**
     * Claims a probe before it is due, as no endpoint is left, or finds the circuit closed; false if the
     * probe is claimed. If failures of one client have opened the circuit, and there are others by now, it
     * closes.
     */
    public boolean claimEarlyProbe(long now) {
        Status seen = status.get();
        if (seen.state != State.CLOSED && seen.client != null && severalClients.getAsBoolean()) {
            status.compareAndSet(seen, CLOSED.failed(seen.client, now + backOffNanos));
            return isClosed();
        }
        return seen.state == State.CLOSED || claimProbe(now) || mayProbe(seen, now)
                && status.compareAndSet(seen, seen.probing(seen.backOffs, seen.retryAt, now + probeNanos));
    }

    private static boolean mayProbe(Status seen, long now) {
        return seen.state == State.OPEN || seen.state == State.PROBING && seen.probeEnd - now <= 0;
    }

    /** Closes the circuit after a response; returns whether it was open. */
    public boolean succeeded() {
        Status seen = status.get();
        if (seen == CLOSED) {
            return false;
        }
        return changes(was -> was.reason == Reason.CHECKS ? was.open() : CLOSED);
    }

    /**
     * Counts a failed request, unless the circuit is open; returns whether this opened it.
     *
     * @param client null if no connection could be opened, which always counts
     */
    public boolean failed(@Nullable ClientNetwork client, long now) {
        return changes(was -> {
            boolean again = client != null && client.equals(was.client);
            return was.state != State.CLOSED // a probe, or a request from before
                    || again && was.retryAt - now > 0 && severalClients.getAsBoolean() ? was
                    : was.failures + 1 < failures ? was.failed(client, now + backOffNanos)
                    : new Status(State.OPEN, client == null ? Reason.CONNECTIONS : Reason.REQUESTS, 0,
                            again ? client : null, 0, now + backOff(0), 0);
        });
    }

    /** Returns the claim of a request that is about to be sent. */
    public Claim claim() {
        return status.get();
    }

    /**
     * Ends the probe under way if the request is it, without a response.
     *
     * @param failed false if that proves nothing about the endpoint: another request is the next probe
     */
    public void ended(Claim claim, boolean failed, long now) {
        var probe = (Status) claim;
        if (probe.state == State.PROBING) {
            status.compareAndSet(probe, failed || probe.reason == Reason.CHECKS ? probe.open()
                    : probe.open(probe.backOffs, now, 0));
        }
    }

    /** Ends the back-off, as the endpoint has another address; that of checks they end by themselves. */
    public void moved(long now) {
        changes(was -> was.state == State.CLOSED || was.reason == Reason.CHECKS ? was
                : was.open(0, now, 0));
    }

    /** Opens the circuit until {@link #checksPassed}; returns whether it was closed. */
    public boolean checksFailed(long now) {
        return changes(was -> was.reason == Reason.CHECKS ? was
                : new Status(State.OPEN, Reason.CHECKS, 0, null, 0, now + NEVER_NANOS, 0));
    }

    /**
     * Closes the circuit if checks or failed connections have opened it; returns whether it did. Other
     * failures are those of requests, about which checks tell nothing.
     */
    public boolean checksPassed() {
        return changes(was -> was.reason == Reason.REQUESTS ? was : CLOSED);
    }

    /** Returns whether the circuit opened or closed. */
    private boolean changes(UnaryOperator<Status> change) {
        while (true) {
            Status before = status.get();
            Status after = change.apply(before);
            if (status.compareAndSet(before, after)) {
                return before.state == State.CLOSED != (after.state == State.CLOSED);
            }
        }
    }

    /** Returns the back-off before a probe, up to a quarter longer so that gateways do not probe together. */
    private long backOff(int number) {
        long nanos = backOffNanos;
        for (int i = 0; i < number && nanos < maxBackOffNanos; i++) {
            nanos *= 2;
        }
        nanos = Math.min(nanos, maxBackOffNanos);
        return Math.min(nanos + ThreadLocalRandom.current().nextLong(nanos / 4 + 1), maxBackOffNanos);
    }
}
