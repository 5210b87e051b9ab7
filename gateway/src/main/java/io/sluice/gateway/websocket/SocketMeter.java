package io.sluice.gateway.websocket;

import io.sluice.handlers.WebSocket;

/** Is told what becomes of a route's sockets, on their event loops. Must be quick and must not throw. */
public interface SocketMeter {

    /** A handshake was done, in so much time from its head. */
    void opened(long nanos);

    /** A socket that had been opened is gone. */
    void closed();

    /** A message has arrived. */
    void received(int bytes);

    /** A message is on its way. */
    void sent(int bytes);

    /** A message was given up. */
    void dropped(WebSocket.DropReason reason);
}
