package io.sluice.handlers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetSocketAddress;

/**
 * An open WebSocket for its handler, in messages, not frames. Confined to its event loop. Messages to a
 * socket that is closing or closed are dropped.
 */
public interface WebSocket {

    /** Returns the id of the handshake request, for logs. */
    String id();

    /** Returns the client's address. */
    InetSocketAddress clientAddress();

    /** Returns the socket's event loop, which is the same object for all sockets that it serves. */
    EventExecutor eventLoop();

    /** Returns the allocator for messages. */
    ByteBufAllocator alloc();

    /**
     * Sends a text.
     *
     * @param message UTF-8; owned by the socket from here on
     */
    void sendText(ByteBuf message);

    /**
     * Sends a binary message.
     *
     * @param message owned by the socket from here on
     */
    void sendBinary(ByteBuf message);

    /** Sends a message that is shared by many sockets; owned by the caller. */
    void send(SharedMessage message);

    /**
     * Returns whether the client reads messages as fast as they are sent. Sending never blocks: a sender that
     * continues while this is false exhausts the memory.
     */
    boolean isWritable();

    /** Stops passing messages to the listener until {@link #resume()}; the client has to wait. */
    void pause();

    /** Resumes passing messages to the listener, possibly within this call; no effect if not paused. */
    void resume();

    /** Records that work for this socket has begun: a drain waits for its end before it closes the socket. */
    void beginRequest();

    /** Records that work for this socket has ended. */
    void endRequest();

    /** Counts a message for this socket that is not sent. */
    void dropped(DropReason reason);

    /**
     * Closes the socket after the sent messages; messages that still arrive are dropped.
     *
     * @throws IllegalArgumentException for a code that must not be sent, such as 1006
     */
    void close(WebSocketCloseStatus status);

    /** The reason why a message was not sent. */
    enum DropReason {
        /** The message was the oldest, and newer ones exceeded the budget; or there is no memory for it. */
        OLDEST,
        /** A newer message replaced it. */
        NOT_LATEST,
        /** The socket was closed because its client reads too slowly. */
        TOO_SLOW,
        /** The socket was closed before the message could be sent. */
        CLOSED
    }
}
