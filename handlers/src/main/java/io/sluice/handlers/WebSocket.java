package io.sluice.handlers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetSocketAddress;

/**
 * An open WebSocket, as its handler sees it: messages, not frames. Belongs on its event loop. What is sent
 * to a socket that is closing or gone is dropped.
 */
public interface WebSocket {

    /** The id of the request that opened it, for logs. */
    String id();

    /** Who opened it. */
    InetSocketAddress clientAddress();

    /** The socket's event loop, one and the same for all sockets that it serves. */
    EventExecutor eventLoop();

    /** For what is sent. */
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

    /** Sends what goes to many sockets; the message stays the caller's. */
    void send(SharedMessage message);

    /**
     * Whether the client takes messages as fast as they are sent. Sending never blocks: who goes on while
     * this is false fills the memory.
     */
    boolean isWritable();

    /** No further message is handed to the listener until {@link #resume()}; the client has to wait. */
    void pause();

    /** Goes on handing messages to the listener, maybe from within this call; else without effect. */
    void resume();

    /** Work for this socket has begun: a drain waits for its end before it closes the socket. */
    void beginRequest();

    /** Work for this socket has ended. */
    void endRequest();

    /** Counts a message that was meant for this socket and will not be sent. */
    void dropped(DropReason reason);

    /**
     * Closes the socket behind what has been sent; messages that still arrive are dropped.
     *
     * @throws IllegalArgumentException for a code that must not be sent, such as 1006
     */
    void close(WebSocketCloseStatus status);

    /** Why a message was not sent. */
    enum DropReason {
        /** Newer ones needed its place. */
        OLDEST,
        /** There is a newer one, and only that is wanted. */
        NOT_LATEST,
        /** The socket was closed, as its client reads too slowly. */
        TOO_SLOW,
        /** The socket was gone before its turn. */
        CLOSED
    }
}
