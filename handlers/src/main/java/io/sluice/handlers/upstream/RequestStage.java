package io.sluice.handlers.upstream;

import java.util.Locale;

/** The stage of a request to an upstream. */
public enum RequestStage {
    /** The request waits for a permit. */
    QUEUED,
    /** The request waits for a connection. */
    CONNECTING,
    /** The request is being sent, or waits for the response. */
    SENT,
    /** The response has begun. */
    STREAMING;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
