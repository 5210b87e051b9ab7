package io.sluice.handlers;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetSocketAddress;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The client of a request, from its connection or from a trusted proxy.
 *
 * @param address the client's address; port 0 if a proxy did not send it
 * @param scheme {@code http} or {@code https}, as the client used it; null if unknown
 * @param host the host requested by the client according to a proxy; null if only {@code Host} has it
 * @param tls the TLS session of the connection, which is that of a proxy if there is one; null without TLS
 */
public record Client(InetSocketAddress address, @Nullable String scheme, @Nullable String host,
                     @Nullable SSLSession tls) {

    /** Creates a client of which only the address is known. */
    public Client(InetSocketAddress address) {
        this(address, null, null, null);
    }

    /** Returns the host of a request from this client; empty if there is none. */
    public String hostOf(HttpHeaders request) {
        return host != null ? host : request.get(HttpHeaderNames.HOST, "");
    }
}
