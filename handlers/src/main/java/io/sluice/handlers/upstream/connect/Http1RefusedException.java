package io.sluice.handlers.upstream.connect;

/**
 * A failed TLS handshake that offered HTTP/1.1 only. An endpoint of HTTP/2 alone refuses it, which is no
 * failure of the endpoint.
 */
public final class Http1RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Creates an exception without a stack trace, as it describes the network. */
    public Http1RefusedException(Throwable cause) {
        super("a TLS handshake for HTTP/1.1 has failed", cause, false, false);
    }
}
