package io.sluice.handlers.upstream;

import io.sluice.handlers.upstream.connect.Http1RefusedException;
import io.sluice.offload.LocalShortage;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A request to an endpoint that has failed. The message is for the log; it names the endpoint. */
public final class UpstreamException extends Exception {
    private static final long serialVersionUID = 1L;
    /** The largest depth of causes to examine, as they may form a cycle. */
    private static final int DEEPEST = 20;

    private final transient Endpoint endpoint;
    private final Stage stage;

    /** The stage in which a request failed. */
    public enum Stage {
        /** No connection could be opened: the endpoint has nothing of the request. */
        CONNECT,
        /** The connection closed before the request was written: the endpoint cannot have served it. */
        REQUEST,
        /** The endpoint has done nothing for the request, and has said so (RFC 9113 section 8.7). */
        REFUSED,
        /** The fields of the request are larger than the endpoint allows; it has nothing of the request. */
        TOO_LARGE,
        /** The connection closed, or the stream was reset, before the first byte of the response. */
        RESPONSE,
        /** The connection closed, or the stream was reset, before the last byte of the response. */
        TRUNCATED,
        /** The response violates the protocol. */
        MALFORMED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Creates an exception without a stack trace, as it describes the network.
     *
     * @param cause null if none is known
     */
    public UpstreamException(Endpoint endpoint, Stage stage, @Nullable Throwable cause) {
        super(message(stage).formatted(endpoint), cause, false, false);
        this.endpoint = endpoint;
        this.stage = stage;
    }

    private static String message(Stage stage) {
        return switch (stage) {
            case CONNECT -> "no connection to %s";
            case REQUEST -> "%s closed a connection before a request";
            case REFUSED -> "%s refused a request";
            case TOO_LARGE -> "fields of a request are larger than %s allows";
            case RESPONSE -> "%s closed a connection before its response";
            case TRUNCATED -> "%s closed a connection before the end of its response";
            case MALFORMED -> "a malformed response from %s";
        };
    }

    /** Returns the innermost cause of a failure, as text: those around it say less, or nothing. */
    static String reason(@Nullable Throwable cause) {
        Throwable innermost = cause;
        for (int i = 0; i < DEEPEST && innermost != null && innermost.getCause() != null; i++) {
            innermost = innermost.getCause();
        }
        return innermost == null ? "closed" : innermost.toString();
    }

    /** Returns the endpoint. */
    public Endpoint endpoint() {
        return endpoint;
    }

    /** Returns whether the endpoint has failed, and neither the request nor the gateway is the reason. */
    public boolean isOfEndpoint() {
        return stage != Stage.TOO_LARGE && !LocalShortage.is(getCause())
                && !(getCause() instanceof Http1RefusedException);
    }

    /** Returns the stage in which the request failed. */
    public Stage stage() {
        return stage;
    }
}
