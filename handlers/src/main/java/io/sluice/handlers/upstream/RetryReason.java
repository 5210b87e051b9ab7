package io.sluice.handlers.upstream;

import java.util.Locale;

/** The reason for which a request is sent to an upstream again. */
public enum RetryReason {
    /** The endpoint had closed a connection that was used before. */
    STALE,
    /** No connection could be opened. */
    CONNECT,
    /** The connection closed before the response. */
    RESPONSE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
