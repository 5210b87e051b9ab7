package io.sluice.handlers.upstream;

import java.util.Collection;

/**
 * Observes an upstream: its requests on their event loops, its endpoints on any thread. It must neither block
 * nor throw.
 */
public interface UpstreamObserver {

    /** Ignores all events. */
    UpstreamObserver NONE = new UpstreamObserver() { };

    /** A connection was opened for a request, TLS included. */
    default void connected(Endpoint endpoint, long nanos) {
    }

    /** The final response to a request has begun, or a 101: so long after it was sent. */
    default void responded(Endpoint endpoint, long nanos) {
    }

    /** The upstream has these endpoints from now on, and no others. */
    default void endpoints(Collection<Endpoint> all) {
    }

    /** A request is sent again. */
    default void retried(RetryReason reason) {
    }
}
