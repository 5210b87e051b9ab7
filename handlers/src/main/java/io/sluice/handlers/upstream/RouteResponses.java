package io.sluice.handlers.upstream;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The responses to one route's requests, by endpoint. Those of other routes may take longer by nature, such
 * as long polls, or fail by their request: they say nothing about an endpoint. Any thread.
 */
public final class RouteResponses {
    /** Has none of an endpoint that was drained before the last one was added. */
    private final Map<Endpoint, EndpointResponses> all = new ConcurrentHashMap<>();

    /** Returns those of an endpoint, which may be none yet. */
    EndpointResponses of(Endpoint endpoint) {
        EndpointResponses known = all.get(endpoint);
        return known == null ? add(endpoint) : known;
    }

    private EndpointResponses add(Endpoint endpoint) {
        EndpointResponses added = all.computeIfAbsent(endpoint, _ -> new EndpointResponses());
        all.keySet().removeIf(Endpoint::isDraining);
        return added;
    }

    /** Returns of how many endpoints there are responses. */
    int size() {
        return all.size();
    }
}
