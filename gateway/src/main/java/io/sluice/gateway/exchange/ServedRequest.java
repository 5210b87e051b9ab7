package io.sluice.gateway.exchange;

import io.sluice.handlers.Exchange;

/** A request that has been served, over any protocol, for meters and logs. */
public interface ServedRequest extends Exchange {
    /** The status that a request is counted with if its client left first; never sent. */
    int CLIENT_GONE = 499;

    /** Returns the template of the route's path, or {@code UNKNOWN} if no route matched. */
    String uri();

    /** Returns the status of the response; {@link #CLIENT_GONE} if the client left first. */
    int status();

    /** Returns how many bytes of the response's body were sent. */
    long bytesSent();

    /** Returns the time from the arrival of the head to the end of the request or, before that, to now. */
    long elapsedNanos();

    /**
     * Returns the part of that time in which the client waits for the gateway: without that of a stream of
     * events or messages after its beginning, and without that of a poll for messages.
     */
    long latencyNanos();
}
