package io.sluice.handlers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.EventExecutor;

/**
 * The client's connection, used by its {@link Tunnel}: over HTTP/1.1 the whole connection, over HTTP/2 one
 * stream. Confined to its event loop.
 */
public interface TunnelConnection {

    /** Returns the connection's event loop. */
    EventExecutor eventLoop();

    /** Returns the allocator for buffers to write. */
    ByteBufAllocator alloc();

    /**
     * Writes bytes, which are sent with the next {@link #flush()}. Never blocks: a tunnel that continues
     * while {@link #isWritable()} is false exhausts the memory.
     *
     * @param bytes owned by the connection from here on; released unsent if its sending half is closed
     */
    void write(ByteBuf bytes);

    /** Sends the written bytes. */
    void flush();

    /** Returns whether the client reads bytes as fast as they are written, and memory is not short. */
    boolean isWritable();

    /**
     * Returns whether the credential that has opened the tunnel still gives access to its route. A reload can
     * end that; the tunnel is then drained after a while.
     */
    boolean isAdmitted();

    /** Returns a number that changes whenever the client reads some of the unsent bytes. */
    long taken();

    /**
     * Stops reading until {@link #resume()}. Bytes from the client are buffered up to a limit; then the
     * client has to wait.
     */
    void pause();

    /** Resumes reading; may call the tunnel from within this call. */
    void resume();

    /**
     * Closes the sending half after the written bytes. The client may continue to send, except over HTTP/1.1
     * with TLS, where this is {@link #close()}.
     */
    void shutdownOutput();

    /**
     * Closes the connection after the written bytes, and gives the client a moment to close it, too. Bytes
     * that it still sends are dropped.
     */
    void close();

    /** Resets the connection at once, so that the client does not take the received bytes for the whole. */
    void reset();
}
