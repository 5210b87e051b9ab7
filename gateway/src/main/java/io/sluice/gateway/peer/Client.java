package io.sluice.gateway.peer;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetSocketAddress;

/**
 * Who sent a request.
 *
 * @param address with port 0 where a proxy did not say it
 * @param scheme that the client used, {@code http} or {@code https}; null where nobody said
 * @param host that the client asked for; null where nobody said another than Host
 */
public record Client(InetSocketAddress address, String scheme, String host) {

    /** The host that a request of this client is for. */
    public String hostOf(HttpHeaders request) {
        return host != null ? host : request.get(HttpHeaderNames.HOST, "");
    }

    /** One of whom only the address is known. */
    Client(InetSocketAddress address) {
        this(address, null, null);
    }
}
