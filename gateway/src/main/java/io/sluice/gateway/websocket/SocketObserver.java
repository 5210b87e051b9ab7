package io.sluice.gateway.websocket;

import io.sluice.handlers.WebSocket;

/** Observes the WebSockets of a route. Called on their event loops; must be quick and must not throw. */
public interface SocketObserver {

    /**
     * A WebSocket was opened.
     *
     * @param nanos from the arrival of the handshake's head
     */
    void opened(long nanos);

    /** An opened WebSocket was closed. */
    void closed();

    /**
     * A message was received.
     *
     * @param bytes its length, inflated
     */
    void received(int bytes);

    /**
     * A message was handed over for sending.
     *
     * @param bytes its length, uncompressed
     */
    void sent(int bytes);

    /** A message for the client was dropped. */
    void dropped(WebSocket.DropReason reason);
}
