package io.sluice.gateway.tls;

import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.io.EOFException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;

/** Why a handshake failed, as far as can be told alike of both providers. */
public enum HandshakeFailure {
    /** It was not done in time. */
    TIMEOUT,
    /** The client spoke HTTP, without TLS. */
    PLAIN_HTTP,
    /** The client spoke something else. */
    NOT_TLS,
    /** The client wants to speak nothing that is spoken here (RFC 7301). */
    ALPN,
    /** The client's certificate is missing, or nobody vouches for it. */
    CLIENT_CERTIFICATE,
    /** The client sent an alert: it does not trust our certificate, for one. */
    CLIENT_ALERT,
    /** The client went away in the middle of it. */
    CLOSED,
    /** Anything else: no version or cipher suite in common, a client that does not keep to the protocol. */
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

    /** The providers have no types for these, only words. */
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
