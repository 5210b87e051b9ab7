package io.sluice.handlers;

/** Accepts the WebSockets of a route (RFC 6455). One instance serves all of them, on all event loops. */
@FunctionalInterface
public interface WebSocketHandler {

    /**
     * Accepts a handshake. Runs on the connection's event loop and must not block.
     *
     * @param handshake the request; valid during this call only, and must not be responded to
     * @return the listener of the socket's messages, once the handshake is complete
     * @throws Exception rejects the handshake: an {@link HttpException} with its status, others with 500
     */
    WebSocketListener accept(Exchange handshake) throws Exception;
}
