package io.sluice.handlers;

import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;

/**
 * A client's offer to switch to another protocol on the connection of its request: the field {@code Upgrade}
 * of HTTP/1.1 (RFC 9110 section 7.8), or an extended CONNECT of HTTP/2 (RFC 8441). Confined to the event
 * loop.
 */
public interface Upgrade {

    /** Returns the offered protocols in descending order of preference; over HTTP/2 there is one. */
    List<String> protocols();

    /** Returns whether the client offers a protocol; names are not case-sensitive. */
    default boolean offers(String protocol) {
        return protocols().stream().anyMatch(protocol::equalsIgnoreCase);
    }

    /**
     * Responds with 101, or over HTTP/2 with 200, and passes the connection or stream to a tunnel as soon as
     * the whole request has been read: its body by the handler's reader, or else dropped, up to the limit for
     * bodies. Bytes that the client sends before the response are for the tunnel, and wait for it.
     *
     * <p>If that fails, because the gateway drains or the body is too large, the response is an error, the
     * actions of {@link Exchange#onAbort} run, and the tunnel is never called.
     *
     * @param protocol one of {@link #protocols()}
     * @param headers headers of the response; {@code Connection} and {@code Upgrade} are added, and headers
     *     that frame a body are removed
     */
    void accept(String protocol, HttpHeaders headers, Tunnel tunnel);
}
