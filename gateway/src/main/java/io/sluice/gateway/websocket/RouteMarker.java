package io.sluice.gateway.websocket;

import io.netty.buffer.ByteBuf;
import io.sluice.gateway.loop.LoopTaskMeter;
import io.sluice.handlers.WebSocket;
import io.sluice.handlers.WebSocketListener;

/** Attributes the event loop's time in a listener's calls to the listener's route. */
record RouteMarker(String route, WebSocketListener listener) implements WebSocketListener {

    @Override
    public void opened(WebSocket socket) {
        mark(socket);
        listener.opened(socket);
    }

    @Override
    public void text(WebSocket socket, ByteBuf message) {
        mark(socket);
        listener.text(socket, message);
    }

    @Override
    public void binary(WebSocket socket, ByteBuf message) {
        mark(socket);
        listener.binary(socket, message);
    }

    @Override
    public void writable(WebSocket socket) {
        mark(socket);
        listener.writable(socket);
    }

    @Override
    public boolean holdsOutput() {
        return listener.holdsOutput();
    }

    @Override
    public void closed(WebSocket socket) {
        mark(socket);
        listener.closed(socket);
    }

    private void mark(WebSocket socket) {
        LoopTaskMeter.runsFor(socket.eventLoop(), route);
    }
}
