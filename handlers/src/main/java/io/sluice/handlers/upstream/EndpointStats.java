package io.sluice.handlers.upstream;

import io.sluice.handlers.upstream.UpstreamException.Stage;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/**
 * A snapshot of an endpoint.
 *
 * @param id its URL, and its address if the name of an upstream has several; the same on every gateway
 * @param url as configured
 * @param address {@code 10.0.0.7:8080}; empty while a name has none
 * @param inFlight requests that are being served
 * @param connecting connections that are being opened
 * @param open connections that are open, those of WebSockets included
 * @param idle of these, about how many are kept for further requests
 * @param firstByte the average time to the first byte of a response, for all routes; zero while none is
 *     known
 * @param weight as configured
 * @param share the part of the weight that counts, 0..1: less than 1 in a slow start
 * @param failures failed requests by stage, since the start
 * @param unexpectedBytes connections closed as bytes came that belong to no request
 */
public record EndpointStats(String id, String url, String address, State state, int inFlight,
                            int connecting, int open, int idle, Duration firstByte, int weight, double share,
                            Map<Stage, Long> failures, long unexpectedBytes) {

    /** Returns about how many connections carry requests or WebSockets. */
    public int active() {
        return Math.max(0, open - idle);
    }

    /** The availability of an endpoint. */
    public enum State {
        /** The endpoint gets all requests that it is chosen for. */
        UP,
        /** The endpoint gets no requests before the next probe. */
        DOWN,
        /** The endpoint has a probe, and gets no other requests until that has ended. */
        PROBING,
        /** The endpoint gets no more requests, as its name has another address now; running ones end. */
        DRAINING;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
