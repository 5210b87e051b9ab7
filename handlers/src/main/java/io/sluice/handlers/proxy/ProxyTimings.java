package io.sluice.handlers.proxy;

import io.netty.util.AttributeKey;
import io.netty.util.concurrent.Ticker;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.upstream.Endpoint;
import io.sluice.handlers.upstream.RetryReason;
import io.sluice.handlers.upstream.Upstream;
import io.sluice.handlers.upstream.UpstreamException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The course of a proxied request, for meters and the access log: its upstream, the endpoint of the last
 * attempt, times, retries. An attribute of its exchange. Confined to the event loop of the exchange.
 */
public final class ProxyTimings {
    private static final AttributeKey<ProxyTimings> KEY = AttributeKey.valueOf(ProxyTimings.class, "KEY");
    /** Stands for a time that is not known. */
    public static final long UNKNOWN = -1;

    private final Upstream upstream;
    private final Ticker clock;
    private final long asked;
    /** Null before the first attempt. */
    private @Nullable Endpoint endpoint;
    private long queueNanos = UNKNOWN;
    private long connectNanos = UNKNOWN;
    private long firstByteNanos = UNKNOWN;
    private long nanos = UNKNOWN;
    /** The beginning of the current attempt. */
    private long begun;
    /** The time at which the head of the current attempt was sent. */
    private long sent;
    private int retries;
    private int status;
    private boolean failed;

    ProxyTimings(Upstream upstream, Exchange exchange) {
        this.upstream = upstream;
        clock = exchange.deadline().clock();
        asked = clock.nanoTime();
        exchange.attr(KEY).set(this);
    }

    /** Returns the course of a request; null if it is not proxied. */
    public static @Nullable ProxyTimings of(Exchange exchange) {
        return exchange.hasAttr(KEY) ? exchange.attr(KEY).get() : null;
    }

    // --- events

    /** An attempt begins, with a permit. */
    void begins(Endpoint chosen) {
        begun = clock.nanoTime();
        if (endpoint == null) {
            queueNanos = begun - asked;
        }
        endpoint = chosen;
    }

    /**
     * The attempt got a stream.
     *
     * @param reused whether of a connection that had been open
     */
    void opened(boolean reused) {
        sent = begun;
        if (!reused) {
            sent = clock.nanoTime();
            connectNanos = sent - begun;
            upstream.observer().connected(attempted(), connectNanos);
        }
    }

    /** The final response begins, or a 101. */
    void responded(int code) {
        status = code;
        firstByteNanos = clock.nanoTime() - sent;
        upstream.observer().responded(attempted(), firstByteNanos);
    }

    private Endpoint attempted() {
        return Objects.requireNonNull(endpoint, "no attempt has begun");
    }

    /** Another attempt follows. */
    void retried(RetryReason reason) {
        retries++;
        upstream.observer().retried(reason);
    }

    /** The upstream has failed to respond, which is reported. */
    void failed(UpstreamException cause) {
        failed = true;
        upstream.report(cause);
    }

    /** The upstream has nothing to do with the exchange any more; further calls do nothing. */
    void ended() {
        if (endpoint != null && nanos == UNKNOWN) {
            nanos = clock.nanoTime() - begun;
        }
    }

    // --- results

    /** Returns the name of the upstream. */
    public String upstream() {
        return upstream.name();
    }

    /** Returns the endpoint of the last attempt; null without an attempt. */
    public @Nullable Endpoint endpoint() {
        return endpoint;
    }

    /** Returns the wait for a permit in ns; {@link #UNKNOWN} without an attempt. */
    public long queueNanos() {
        return queueNanos;
    }

    /** Returns the time for opening a connection in ns; {@link #UNKNOWN} if an open one was used. */
    public long connectNanos() {
        return connectNanos;
    }

    /** Returns the time to the first byte of the response in ns; {@link #UNKNOWN} without a response. */
    public long firstByteNanos() {
        return firstByteNanos;
    }

    /** Returns the time of the last attempt in ns, up to the end of the response if that has ended. */
    public long nanos() {
        return nanos == UNKNOWN ? clock.nanoTime() - begun : nanos;
    }

    /** Returns the number of attempts but the first. */
    public int retries() {
        return retries;
    }

    /** Returns the upstream's status; 0 without a response. */
    public int status() {
        return status;
    }

    /** Returns whether the upstream has failed; otherwise a request without a status was cancelled. */
    public boolean hasFailed() {
        return failed;
    }
}
