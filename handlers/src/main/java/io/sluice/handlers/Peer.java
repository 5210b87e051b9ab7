package io.sluice.handlers;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetSocketAddress;
import javax.net.ssl.SSLSession;

/**
 * The client of a request, as its connection or a trusted proxy tells.
 *
 * @param address of the client; port 0 where a proxy did not say it
 * @param scheme {@code http} or {@code https}, as the client used it; null where it is not known
 * @param host the host that a proxy says the client asked for; null where only {@code Host} tells
 * @param tls the TLS session of the connection, which ends at a proxy if there is one; null without TLS
 */
public record Peer(InetSocketAddress address, String scheme, String host, SSLSession tls) {

    /** A client of which only the address is known. */
    public Peer(InetSocketAddress address) {
        this(address, null, null, null);
    }

    /** The host that a request of this client is for; empty where none is named. */
    public String hostOf(HttpHeaders request) {
        return host != null ? host : request.get(HttpHeaderNames.HOST, "");
    }
}
