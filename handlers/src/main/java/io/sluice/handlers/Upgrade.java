package io.sluice.handlers;

import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;

/**
 * The offer of a client to go on with another protocol on the connection of its request: the field {@code
 * Upgrade} of HTTP/1.1 (RFC 9110 section 7.8), or an extended CONNECT of HTTP/2 (RFC 8441). Belongs on the
 * event loop.
 */
public interface Upgrade {

    /** The names of the protocols that the client offers, its favourite first; over HTTP/2 there is one. */
    List<String> protocols();

    /** Whether the client offers a protocol, in whatever case its name is written. */
    default boolean offers(String protocol) {
        return protocols().stream().anyMatch(protocol::equalsIgnoreCase);
    }

    /**
     * Answers with 101, or over HTTP/2 with 200, and hands the connection or the stream to a tunnel, as soon
     * as all of the request has been read. A body that nobody reads is dropped, up to the bound for bodies.
     *
     * <p>Where that turns out to be impossible, because the gateway drains or the client has sent another
     * request, the answer is an error, what {@link Exchange#onAbort} has been given runs, and the tunnel is
     * never called.
     *
     * @param protocol one of {@link #protocols()}
     * @param headers of the answer; {@code Connection} and {@code Upgrade} are added, and what frames a body
     *     is removed
     * @throws IllegalStateException where somebody else reads the body, and its end has not come
     */
    void accept(String protocol, HttpHeaders headers, Tunnel tunnel);
}
