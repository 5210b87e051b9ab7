package io.sluice.gateway;

/** Something outside the configuration that keeps the gateway from starting, in a line for its operator. */
final class StartException extends Exception {
    private static final long serialVersionUID = 1L;

    StartException(String message, Throwable cause) {
        super(message, cause);
    }
}
