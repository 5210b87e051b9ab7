package io.sluice.gateway.tls;

import javax.net.ssl.SSLHandshakeException;

/**
 * Signals that the client offers only application protocols that are not supported (RFC 7301 section 3.2).
 */
final class NoSharedProtocol extends SSLHandshakeException {
    private static final long serialVersionUID = 1L;

    NoSharedProtocol() {
        super("none of the application protocols that the client offers is spoken here");
    }
}
