package io.sluice.handlers.proxy;

import io.netty.util.AttributeKey;
import io.netty.util.concurrent.Ticker;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.upstream.Endpoint;
import io.sluice.handlers.upstream.RetryReason;
import io.sluice.handlers.upstream.Upstream;
import io.sluice.handlers.upstream.UpstreamStream;

/**
 * The course of a proxied request, for meters and the access log: its upstream, the endpoint of the last
 * attempt, times, retries. An attribute of its exchange. Confined to the event loop of the exchange.
 */
public final class ProxiedRequest {
    /** The attribute; an exchange without it is not proxied. */
    public static final AttributeKey<ProxiedRequest> KEY = AttributeKey.valueOf(ProxiedRequest.class, "KEY");
    /** Stands for a time that is not known. */
    public static final long UNKNOWN = -1;

    private final Upstream upstream;
    private final Ticker clock;
    private final long asked;
    private Endpoint endpoint;
    private boolean attempted;
    private long queueNanos = UNKNOWN;
    private long connectNanos = UNKNOWN;
    private long firstByteNanos = UNKNOWN;
    private long nanos = UNKNOWN;
    /** The beginning of the current attempt. */
    private long begun;
    /** When its head was sent. */
    private long sent;
    private int retries;
    private int status;
    private boolean failed;

    ProxiedRequest(Upstream upstream, Exchange exchange) {
        this.upstream = upstream;
        clock = exchange.deadline().clock();
        asked = clock.nanoTime();
        exchange.attr(KEY).set(this);
    }

    // --- events

    /** An attempt begins, with a permit. */
    void begins() {
        begun = clock.nanoTime();
        if (!attempted) {
            attempted = true;
            queueNanos = begun - asked;
        }
    }

    /** The attempt got a stream. */
    void opened(UpstreamStream stream) {
        endpoint = stream.endpoint();
        sent = begun;
        if (!stream.isReused()) {
            sent = clock.nanoTime();
            connectNanos = sent - begun;
            upstream.observer().connected(endpoint, connectNanos);
        }
    }

    /** The final response begins, or a 101. */
    void responded(int code) {
        status = code;
        firstByteNanos = clock.nanoTime() - sent;
        upstream.observer().responded(endpoint, firstByteNanos);
    }

    /** Another attempt follows. */
    void retried(RetryReason reason) {
        retries++;
        upstream.observer().retried(reason);
    }

    /** The upstream has failed to respond. */
    void failed() {
        failed = true;
    }

    /** The upstream has nothing to do with the exchange any more; further calls do nothing. */
    void ended() {
        if (attempted && nanos == UNKNOWN) {
            nanos = clock.nanoTime() - begun;
        }
    }

    // --- results

    /** Returns the name of the upstream. */
    public String upstream() {
        return upstream.name();
    }

    /** Returns the endpoint of the last attempt; null if no connection was opened. */
    public Endpoint endpoint() {
        return endpoint;
    }

    /** Returns whether a permit was granted. */
    public boolean isAttempted() {
        return attempted;
    }

    /** Returns the wait for a permit in ns; {@link #UNKNOWN} if none was granted. */
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
