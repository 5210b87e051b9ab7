package io.sluice.offload.process;

/** The sandbox is not safe, or no program starts in it; the message has the finding and the expectation. */
public final class SandboxException extends Exception {
    private static final long serialVersionUID = 1L;

    SandboxException(String message) {
        super(message);
    }

    SandboxException(String message, Throwable cause) {
        super(message, cause);
    }
}
