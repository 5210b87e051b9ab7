package io.sluice.handlers;

import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.Optional;

/**
 * A protocol that has taken a connection of HTTP/1.1 or a stream of HTTP/2 over, and gets its bytes.
 * Everything is called on the connection's event loop, in the order in which it happened. What is thrown is
 * logged, and resets the connection.
 */
public interface Tunnel {

    /**
     * The answer to the request is written, and sent when this returns: a client that has it finds done what
     * is done here. From here on bytes may be written. Called once, before all else.
     */
    void opened(TunnelConnection connection);

    /**
     * Takes bytes of the client.
     *
     * @param bytes in one piece of memory; owned by the tunnel from here on
     */
    void read(ByteBuf bytes);

    /** All bytes that have arrived are read: the time to flush what they have caused. */
    default void readComplete() {
    }

    /** The client takes bytes again, after {@link TunnelConnection#isWritable()} was false. */
    default void writable() {
    }

    /**
     * Whether a client that has closed its sending half goes on receiving. If not, its connection is closed:
     * over HTTP/1.1 at once, as it may as well have gone away, and over HTTP/2 behind its last byte.
     */
    default boolean allowsHalfClose() {
        return false;
    }

    /** The client has closed its sending half, behind its last byte. Only where that is allowed. */
    default void inputClosed() {
    }

    /**
     * The time without a byte in either direction after which the connection is closed; none where that is
     * empty.
     */
    default Optional<Duration> idleTimeout() {
        return Optional.empty();
    }

    /**
     * The gateway drains: the tunnel should close its connection as soon as that costs its client nothing.
     */
    void drain();

    /** The connection is closed next, whatever still runs: the time for a last word. */
    default void end() {
    }

    /**
     * The connection is closed, for whatever reason. Called once, after all else; without {@link #opened}
     * where {@link #allowsHalfClose} or {@link #idleTimeout} has thrown.
     */
    void closed();
}
