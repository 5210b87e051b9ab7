package io.sluice.handlers.upstream;

import io.sluice.config.type.EndpointUrl;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** A server of an upstream: its address, and how many requests it serves now. Any thread. */
public final class Endpoint {
    private final EndpointUrl url;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final LongAdder unexpectedBytes = new LongAdder();

    Endpoint(EndpointUrl url) {
        this.url = url;
    }

    EndpointUrl url() {
        return url;
    }

    /** Returns the value of Host for requests to this endpoint. */
    public String authority() {
        return url.authority();
    }

    /** Returns the number of requests that are being served. */
    public int inFlight() {
        return inFlight.get();
    }

    void began() {
        inFlight.incrementAndGet();
    }

    /** Counts a connection that has sent bytes which belong to no request. */
    void unexpectedBytes() {
        unexpectedBytes.increment();
    }

    /** Returns how many connections have sent bytes which belong to no request; each was closed. */
    public long connectionsWithUnexpectedBytes() {
        return unexpectedBytes.sum();
    }

    void ended() {
        inFlight.decrementAndGet();
    }

    @Override
    public String toString() {
        return url.toString();
    }
}
