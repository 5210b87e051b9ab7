package io.sluice.handlers.upstream;

import java.util.Locale;

/** The reason for which a request is sent to an upstream again. */
public enum RetryReason {
    /** The endpoint had closed a connection that was used before. */
    STALE,
    /** No connection could be opened. */
    CONNECT,
    /** The connection closed before the response, or before all of the request was sent. */
    RESPONSE,
    /** The endpoint has answered 503 and closed the connection: it is about to stop. */
    UNAVAILABLE;

    /** Returns the reason that is a failure. */
    public static RetryReason of(UpstreamException.Stage failed) {
        return failed == UpstreamException.Stage.CONNECT ? CONNECT : RESPONSE;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
