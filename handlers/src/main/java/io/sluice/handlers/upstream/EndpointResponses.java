package io.sluice.handlers.upstream;

import io.sluice.handlers.upstream.endpoint.FailureShare;
import io.sluice.handlers.upstream.endpoint.FirstByteTime;
import java.util.concurrent.atomic.AtomicInteger;

/** The responses of an endpoint to the requests of one route: what they tell of it. Any thread. */
final class EndpointResponses {
    /** The least share of failures that matters: more than one after successes. */
    private static final double NOTABLE_FAILURES = 0.3;

    private final FirstByteTime time = new FirstByteTime();
    private final FailureShare failures = new FailureShare();
    private final AtomicInteger awaited = new AtomicInteger();
    /** The time since which responses have been awaited. */
    private volatile long awaitedSince;

    /** Called when a response begins to be awaited; {@link #ended} follows. */
    void began(long now) {
        if (awaited.getAndIncrement() == 0) {
            awaitedSince = now;
        }
    }

    /** Called when a response is not awaited any more, after one of the following if that is known. */
    void ended() {
        awaited.decrementAndGet();
    }

    /**
     * Adds a response.
     *
     * @param nanos the time to its first byte
     * @param error whether it is one of the server, whose time tells nothing
     */
    void responded(long nanos, boolean error, long now) {
        failures.add(error, now);
        if (!error) {
            time.add(nanos, now);
        }
    }

    /** Adds a request that was lost, such as by the end of its connection. */
    void lost(long now) {
        failures.add(true, now);
    }

    /** Adds the time for which a response was awaited in vain. */
    void cancelled(long nanos, long now) {
        time.addUnended(nanos, now);
    }

    /**
     * Returns the factor by which requests take longer here than at another endpoint, as far as responses
     * tell: 1 if one of them has none yet. An endpoint that has not responded for a while may be as fast as
     * the other by now, but not faster unless it was, nor if its responses are overdue.
     */
    double timeRatio(EndpointResponses other, long now) {
        long nanos = time.nanos(now);
        long otherNanos = other.time.nanos(now);
        return nanos == 0 || otherNanos == 0 ? 1
                : (double) time.nanosBeside(otherNanos, awaitedNanos(now), now)
                        / other.time.nanosBeside(nanos, other.awaitedNanos(now), now);
    }

    private long awaitedNanos(long now) {
        return awaited.get() == 0 ? 0 : now - awaitedSince;
    }

    /** Returns the share of responses that are no errors of the server, above 0; 1 with a single error. */
    double successShare(long now) {
        double share = failures.share(now);
        return share < NOTABLE_FAILURES ? 1 : 1 - share;
    }
}
