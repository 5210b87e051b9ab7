package io.sluice.handlers;

import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.Optional;

/**
 * A protocol that has taken over a connection of HTTP/1.1 or a stream of HTTP/2, and receives its bytes. All
 * methods are called on the connection's event loop, in the order of events. Exceptions are logged, and reset
 * the connection.
 */
public interface Tunnel {

    /**
     * Called once, before all other methods. The response is written, and sent when this returns, so a client
     * that has received it can rely on the effects of this call. From here on bytes may be written.
     */
    void opened(TunnelConnection connection);

    /**
     * Receives bytes of the client.
     *
     * @param bytes a contiguous buffer; owned by the tunnel from here on
     */
    void read(ByteBuf bytes);

    /** Called after all available bytes have been read: the time to flush the response to them. */
    default void readComplete() {
    }

    /** Called when {@link TunnelConnection#isWritable()} becomes true again. */
    default void writable() {
    }

    /**
     * Returns whether a client that has closed its sending half continues to receive. If not, its connection
     * is closed: over HTTP/1.1 at once, as the client may have disconnected, and over HTTP/2 by
     * {@link #close} after its last byte.
     */
    default boolean allowsHalfClose() {
        return false;
    }

    /** Called when the client has closed its sending half, after its last byte; only if that is allowed. */
    default void inputClosed() {
    }

    /**
     * Closes a connection whose client has closed its sending half, if that is not allowed. A tunnel that has
     * not written all of its output yet does that first.
     */
    default void close(TunnelConnection connection) {
        connection.close();
    }

    /**
     * Returns the time without a byte in either direction after which the connection is closed. If empty, it
     * may be idle for as long as it likes, but a client for which bytes wait has to read at the minimum pace
     * of {@code server.timeouts}.
     */
    default Optional<Duration> idleTimeout() {
        return Optional.empty();
    }

    /**
     * Called when the gateway drains, or when a reload removes the route or changes what the tunnel cannot
     * follow: the tunnel should close its connection as soon as no data of its client gets lost. What it uses
     * stays until then. May be called more than once.
     */
    void drain();

    /**
     * Called about once a second while memory is short. A tunnel that has collected input, or
     * output that is not read, should release it, which may mean to close the connection.
     */
    default void memoryShort() {
    }

    /** Called before the gateway closes the connection, even with work in progress: bytes may be written. */
    default void end() {
    }

    /**
     * Called once, after all other methods, when the connection is closed for any reason; without {@link
     * #opened} if {@link #allowsHalfClose} or {@link #idleTimeout} has thrown.
     */
    void closed();
}
