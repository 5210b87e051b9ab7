package io.sluice.handlers.upstream;

import io.sluice.handlers.upstream.endpoint.FirstByteTime;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The average times to the first byte of one route's responses, by endpoint. Those of other routes may be
 * longer by nature, such as long polls: they say nothing about an endpoint. Any thread.
 */
public final class RouteTimes {
    /** Has none of an endpoint that was drained before the last one was added. */
    private final Map<Endpoint, FirstByteTime> times = new ConcurrentHashMap<>();

    /** Returns the average of an endpoint in ns; 0 if none is known. */
    long nanos(Endpoint endpoint, long now) {
        FirstByteTime known = times.get(endpoint);
        return known == null ? 0 : known.nanos(now);
    }

    /** Returns the average of an endpoint, to add times to it. */
    FirstByteTime of(Endpoint endpoint) {
        FirstByteTime known = times.get(endpoint);
        return known == null ? add(endpoint) : known;
    }

    private FirstByteTime add(Endpoint endpoint) {
        FirstByteTime added = times.computeIfAbsent(endpoint, _ -> new FirstByteTime());
        times.keySet().removeIf(Endpoint::isDraining);
        return added;
    }

    /** Returns of how many endpoints there are times. */
    int size() {
        return times.size();
    }
}
