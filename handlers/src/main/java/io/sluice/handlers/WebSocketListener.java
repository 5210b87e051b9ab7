package io.sluice.handlers;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;

/**
 * One socket's side of a handler. Everything is called on the socket's event loop, in the order in which
 * it happened. What is thrown is logged, and closes the socket with 1011.
 */
public interface WebSocketListener {

    /**
     * The handshake is answered, and the answer is sent when this returns: a client that has it finds done
     * what is done here. From here on messages may be sent. Called once, before all else.
     */
    void opened(WebSocket socket);

    /**
     * A whole text has arrived.
     *
     * @param message valid UTF-8; released when the call returns, unless it is retained
     */
    default void text(WebSocket socket, ByteBuf message) {
        socket.close(WebSocketCloseStatus.INVALID_MESSAGE_TYPE);
    }

    /**
     * A whole binary message has arrived.
     *
     * @param message released when the call returns, unless it is retained
     */
    default void binary(WebSocket socket, ByteBuf message) {
        socket.close(WebSocketCloseStatus.INVALID_MESSAGE_TYPE);
    }

    /** The client takes messages again, after {@link WebSocket#isWritable()} was false. */
    default void writable(WebSocket socket) {
    }

    /** The socket is gone, for whatever reason. Called once, after all else. */
    default void closed(WebSocket socket) {
    }
}
