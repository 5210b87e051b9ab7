package io.sluice.handlers.websocket;

import io.netty.buffer.ByteBuf;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.WebSocket;
import io.sluice.handlers.WebSocketHandler;
import io.sluice.handlers.WebSocketListener;

/** Sends each message back. A client that does not read the replies has to wait before it sends more. */
public final class WebSocketEchoHandler implements WebSocketHandler, WebSocketListener {

    @Override
    public WebSocketListener accept(Exchange handshake) {
        return this;
    }

    @Override
    public void opened(WebSocket socket) {
        // waits for the client's first message
    }

    @Override
    public void text(WebSocket socket, ByteBuf message) {
        socket.sendText(message.retain());
        waitForReader(socket);
    }

    @Override
    public void binary(WebSocket socket, ByteBuf message) {
        socket.sendBinary(message.retain());
        waitForReader(socket);
    }

    @Override
    public void writable(WebSocket socket) {
        socket.resume();
    }

    private static void waitForReader(WebSocket socket) {
        if (!socket.isWritable()) {
            socket.pause();
        }
    }
}
