package io.sluice.handlers;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;

/**
 * Receives the messages of a socket. All methods are called on the socket's event loop, in the order of
 * events. Exceptions are logged, and close the socket with 1011.
 *
 * <p>A message from 512 KiB on may be a {@link io.netty.buffer.CompositeByteBuf}: its {@code nioBuffer} is a
 * copy of all its parts, and it has no {@code memoryAddress}.
 */
public interface WebSocketListener {

    /**
     * Called once, before all other methods. The response to the handshake is written, and sent when this
     * returns, so a client that has received it can rely on the effects of this call. From here on messages
     * may be sent.
     */
    void opened(WebSocket socket);

    /**
     * Called with a complete text message.
     *
     * @param message valid UTF-8; released when the call returns; retain it to keep it
     */
    default void text(WebSocket socket, ByteBuf message) {
        socket.close(WebSocketCloseStatus.INVALID_MESSAGE_TYPE);
    }

    /**
     * Called with a complete binary message.
     *
     * @param message released when the call returns; retain it to keep it
     */
    default void binary(WebSocket socket, ByteBuf message) {
        socket.close(WebSocketCloseStatus.INVALID_MESSAGE_TYPE);
    }

    /** Called when {@link WebSocket#isWritable()} becomes true again. */
    default void writable(WebSocket socket) {
    }

    /**
     * Returns whether the listener holds much that its client has to read first. Such a socket is closed with
     * 1013 while memory is short.
     */
    default boolean holdsOutput() {
        return false;
    }

    /** Called once, after all other methods, when the socket is closed for any reason. */
    default void closed(WebSocket socket) {
    }
}
