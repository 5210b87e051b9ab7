package io.sluice.gateway.exchange;

import io.sluice.handlers.Exchange;

/** A request that was served, whatever it came by, for those who meter and log. */
public interface ServedRequest extends Exchange {
    /** What a request whose client went away is counted as; no client ever sees it. */
    int CLIENT_GONE = 499;

    /** The template of the route's path, or {@code UNKNOWN} where none matched. */
    String uri();

    /** The status answered; {@link #CLIENT_GONE} where nobody was there for it. */
    int status();

    /** Bytes of the answer's body. */
    long bytesSent();

    /** From the arrival of the head to the end, or until now. */
    long elapsedNanos();
}
