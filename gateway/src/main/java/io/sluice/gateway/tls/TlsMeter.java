package io.sluice.gateway.tls;

import java.time.Instant;

/** Is told of handshakes, on their event loops, and of files. Must be quick and must not throw. */
public interface TlsMeter {

    /** A handshake is done, in so much time from its first message. */
    void handshake(String version, long nanos);

    /** A handshake has failed. */
    void failed(HandshakeFailure reason);

    /** Certificates are in use, the first of which ends then; they are what is in the files. */
    void inUse(Instant expiry);

    /** What is in the files now cannot be used; what was in them before still is. */
    void refused();
}
