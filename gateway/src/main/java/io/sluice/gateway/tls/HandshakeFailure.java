package io.sluice.gateway.tls;

import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.io.EOFException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;

/** The cause of a failed handshake, as far as both TLS providers allow to distinguish it. */
public enum HandshakeFailure {
    /** The handshake exceeded the time limit. */
    TIMEOUT,
    /** The client spoke HTTP, without TLS. */
    PLAIN_HTTP,
    /** The client spoke another protocol. */
    NOT_TLS,
    /** The client offered no supported application protocol (RFC 7301). */
    ALPN,
    /** The client's certificate is missing or not trusted. */
    CLIENT_CERTIFICATE,
    /** The client sent an alert, for example because it does not trust the gateway's certificate. */
    CLIENT_ALERT,
    /** The client closed the connection during the handshake. */
    CLOSED,
    /** Anything else: no common version or cipher suite, or a protocol violation. */
    PROTOCOL;

    static HandshakeFailure of(Throwable cause) {
        return switch (cause) {
            case SslHandshakeTimeoutException _ -> TIMEOUT;
            case NotSslRecordException _ -> NOT_TLS;
            case NoSharedProtocol _ -> ALPN;
            case ClosedChannelException _ -> CLOSED;
            default -> byCauseOrText(cause);
        };
    }

    /** The providers distinguish these by the text of the message only. */
    private static HandshakeFailure byCauseOrText(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                return CLIENT_CERTIFICATE;
            }
            if (cause instanceof EOFException || cause instanceof ClosedChannelException) {
                return CLOSED;
            }
        }
        String text = String.valueOf(failure.getMessage());
        if (text.contains("certificate chain") || text.contains("DID_NOT_RETURN_A_CERTIFICATE")
                || text.contains("CERTIFICATE_VERIFY_FAILED")) {
            return CLIENT_CERTIFICATE;
        }
        return text.contains("fatal alert") || text.contains("_ALERT_") ? CLIENT_ALERT : PROTOCOL;
    }
}
