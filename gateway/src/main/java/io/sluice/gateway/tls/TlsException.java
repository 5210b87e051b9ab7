package io.sluice.gateway.tls;

/** Signals that TLS cannot be served, with a message of one line for the operator. */
public final class TlsException extends Exception {
    private static final long serialVersionUID = 1L;

    TlsException(String message) {
        super(message);
    }

    TlsException(String message, Throwable cause) {
        super(message, cause);
    }
}
