package io.sluice.offload.process;

/** The sandbox does not hold, or nothing starts in it; says what was found, and what was expected. */
public final class SandboxException extends Exception {
    private static final long serialVersionUID = 1L;

    SandboxException(String message) {
        super(message);
    }

    SandboxException(String message, Throwable cause) {
        super(message, cause);
    }
}
