package io.sluice.offload.source;

import org.jspecify.annotations.Nullable;

/** A source cannot go on for now. The message states the cause, and what an operator can do. */
final class SourceException extends Exception {
    private static final long serialVersionUID = 1;

    SourceException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
