package io.sluice.handlers.upstream;

import java.util.Locale;

/** A request to an endpoint that has failed. The message is for the log; it names upstream and stage. */
public final class UpstreamException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Stage stage;

    /** The stage in which a request failed. */
    public enum Stage {
        /** No connection could be opened: the endpoint has nothing of the request. */
        CONNECT,
        /** The connection closed before a byte of the response. */
        RESPONSE,
        /** The response violates the protocol, or ends too early. */
        MALFORMED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Creates an exception without a stack trace, as it describes the network. */
    public UpstreamException(Stage stage, String message, Throwable cause) {
        super(message, cause, false, false);
        this.stage = stage;
    }

    /** Returns the stage in which the request failed. */
    public Stage stage() {
        return stage;
    }
}
