package io.sluice.gateway;

import org.jspecify.annotations.Nullable;

/**
 * A cause outside the configuration, such as a port in use, that prevents a start or a reload. The message is
 * one line for operators.
 */
final class StartException extends Exception {
    private static final long serialVersionUID = 1L;

    StartException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Refuses to go on with a start or a reload while the gateway stops. */
    static void ifStopping(boolean stopping) throws StartException {
        if (stopping) {
            throw new StartException("the gateway stops", null);
        }
    }
}
