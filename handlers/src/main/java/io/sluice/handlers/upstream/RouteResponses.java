package io.sluice.handlers.upstream;

import io.sluice.handlers.upstream.endpoint.FailureShare;
import io.sluice.handlers.upstream.endpoint.FirstByteTime;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The responses to one route's requests, by endpoint: their times to first byte, and the share of errors.
 * Those of other routes may take longer by nature, such as long polls, or fail by their request: they say
 * nothing about an endpoint. Any thread.
 */
public final class RouteResponses {
    private static final OfEndpoint NONE = new OfEndpoint();
    /** The least share of failures that matters: more than one after successes. */
    private static final double NOTABLE = 0.3;

    /** Has none of an endpoint that was drained before the last one was added. */
    private final Map<Endpoint, OfEndpoint> all = new ConcurrentHashMap<>();

    /** The responses of one endpoint. */
    private static final class OfEndpoint {
        final FirstByteTime time = new FirstByteTime();
        final FailureShare failures = new FailureShare();
    }

    /**
     * Adds a response.
     *
     * @param nanos the time to its first byte
     * @param error whether it is one of the server, whose time tells nothing
     */
    void add(Endpoint endpoint, long nanos, boolean error, long now) {
        OfEndpoint known = of(endpoint);
        known.failures.add(error, now);
        if (!error) {
            known.time.add(nanos, now);
        }
    }

    /** Adds a request that was lost, such as by the end of its connection. */
    void addLost(Endpoint endpoint, long now) {
        of(endpoint).failures.add(true, now);
    }

    /** Adds the time for which a response was awaited in vain. */
    void addUnended(Endpoint endpoint, long nanos, long now) {
        of(endpoint).time.addUnended(nanos, now);
    }

    /**
     * Returns the factor by which a request takes longer at one endpoint than at another, as far as responses
     * tell: 1 if one of them has none yet. An endpoint that got no requests for a while may be as fast as the
     * other by now, but not faster unless it was.
     */
    double timeRatio(Endpoint one, Endpoint other, long now) {
        FirstByteTime time = all.getOrDefault(one, NONE).time;
        FirstByteTime otherTime = all.getOrDefault(other, NONE).time;
        long nanos = time.nanos(now);
        long otherNanos = otherTime.nanos(now);
        return nanos == 0 || otherNanos == 0 ? 1
                : (double) time.nanosBeside(otherNanos, one.inFlight() > 0, now)
                        / otherTime.nanosBeside(nanos, other.inFlight() > 0, now);
    }

    /** Returns the share of responses that are no errors of the server, above 0; 1 with a single error. */
    double successShare(Endpoint endpoint, long now) {
        double failures = all.getOrDefault(endpoint, NONE).failures.share(now);
        return failures < NOTABLE ? 1 : 1 - failures;
    }

    private OfEndpoint of(Endpoint endpoint) {
        OfEndpoint known = all.get(endpoint);
        return known == null ? addEndpoint(endpoint) : known;
    }

    private OfEndpoint addEndpoint(Endpoint endpoint) {
        OfEndpoint added = all.computeIfAbsent(endpoint, _ -> new OfEndpoint());
        all.keySet().removeIf(Endpoint::isDraining);
        return added;
    }

    /** Returns of how many endpoints there are responses. */
    int size() {
        return all.size();
    }
}
