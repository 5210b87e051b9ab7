package io.sluice.handlers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.EventExecutor;

/**
 * The client's connection as its {@link Tunnel} uses it: over HTTP/1.1 all of it, over HTTP/2 one stream.
 * Belongs on its event loop.
 */
public interface TunnelConnection {

    /** The connection's event loop. */
    EventExecutor eventLoop();

    /** For what is written. */
    ByteBufAllocator alloc();

    /**
     * Writes bytes, which are sent with the next {@link #flush()}. Never blocks: a tunnel that goes on while
     * {@link #isWritable()} is false fills the memory.
     *
     * @param bytes owned by the connection from here on; released unsent where its sending half is closed
     */
    void write(ByteBuf bytes);

    /** Sends what has been written. */
    void flush();

    /** Whether the client takes bytes as fast as they are written. */
    boolean isWritable();

    /** A number that changes whenever the client takes some of the bytes that wait for it. */
    long taken();

    /**
     * No more bytes are read until {@link #resume()}. What the client sends meanwhile is kept up to a bound,
     * and then the client has to wait.
     */
    void pause();

    /** Goes on reading, maybe from within this call. */
    void resume();

    /**
     * Closes the sending half behind what has been written. The client may go on sending, but over HTTP/1.1
     * with TLS, where this is {@link #close()}.
     */
    void shutdownOutput();

    /**
     * Closes the connection behind what has been written, and leaves the client a moment to do the same. What
     * it still sends is dropped.
     */
    void close();

    /** Closes the connection at once, so that the client cannot take what it has got for all there is. */
    void reset();
}
