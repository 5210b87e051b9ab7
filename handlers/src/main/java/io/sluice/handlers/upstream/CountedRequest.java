package io.sluice.handlers.upstream;

import io.sluice.handlers.upstream.UpstreamException.Stage;
import org.jspecify.annotations.Nullable;

/**
 * A request as its endpoint counts it: in flight from {@link #begin} to {@link #end}, with the time until its
 * response begins. Serves one request after the other. Confined to an event loop.
 */
final class CountedRequest {
    private final Endpoint endpoint;
    private long begunNanos;
    @SuppressWarnings("NullAway.Init") // set by begin(), which precedes all others
    private RouteTimes route;
    /** Indicates whether the response has not begun. */
    private boolean awaiting;

    CountedRequest(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    /**
     * Begins a request.
     *
     * @param times of its route
     */
    void begin(RouteTimes times) {
        route = times;
        begunNanos = endpoint.began();
        awaiting = true;
    }

    /** Called with the head of the final response, or of a 101. */
    void responded() {
        awaiting = false;
        endpoint.responded(begunNanos, route);
    }

    /** Ends the request; one of the others comes before if it has not ended well. */
    void end() {
        endpoint.ended();
    }

    /** Called if the client gives up. */
    void cancelled() {
        if (awaiting) {
            endpoint.cancelled(begunNanos, route);
        }
    }

    /**
     * Called if the response does not come, or not as a whole.
     *
     * @param stale whether the endpoint was free to close the connection, as that had been idle
     * @param first whether no other request has failed by the same event
     */
    void failed(Stage stage, boolean stale, boolean first, @Nullable Throwable cause) {
        if (stage == Stage.TOO_LARGE || stage != Stage.MALFORMED && awaiting && stale) {
            return; // no failure of the endpoint
        }
        if (!first || stage == Stage.TRUNCATED && !awaiting) {
            endpoint.meter(stage, cause);
        } else {
            endpoint.failed(stage, cause);
        }
    }
}
