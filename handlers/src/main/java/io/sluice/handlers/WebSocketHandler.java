package io.sluice.handlers;

/** Serves the sockets of one route (RFC 6455). One instance serves all of them, on all event loops. */
@FunctionalInterface
public interface WebSocketHandler {

    /**
     * A client asks for a socket. Runs on its event loop, which it must not block.
     *
     * @param handshake the request; it may be asked during this call only, and is answered by others
     * @return what gets the socket's messages, once the handshake is done
     * @throws Exception refuses the handshake: an {@link HttpException} with its status, others with 500
     */
    WebSocketListener accept(Exchange handshake) throws Exception;
}
