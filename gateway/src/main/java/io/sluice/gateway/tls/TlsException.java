package io.sluice.gateway.tls;

/** What keeps TLS from being served, in a line for its operator. */
public final class TlsException extends Exception {
    private static final long serialVersionUID = 1L;

    TlsException(String message) {
        super(message);
    }

    TlsException(String message, Throwable cause) {
        super(message, cause);
    }
}
