package io.sluice.gateway.tls;

import java.time.Instant;

/**
 * Observes handshakes, on their event loops, and the files, on the thread that reads them. Must be quick and
 * must not throw.
 */
public interface TlsObserver {

    /**
     * A handshake is complete.
     *
     * @param version the negotiated version of TLS
     * @param nanos from the client's first message
     */
    void handshake(String version, long nanos);

    /** A handshake has failed. */
    void failed(HandshakeFailure reason);

    /**
     * The certificates in use are those in the files.
     *
     * @param expiry of the one that expires first
     */
    void inUse(Instant expiry);

    /** The files cannot be used now; the certificates that were read before stay in use. */
    void refused();

    /** No certificate is in use any more. */
    void noneInUse();
}
