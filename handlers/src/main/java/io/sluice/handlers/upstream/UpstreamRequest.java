package io.sluice.handlers.upstream;

import io.netty.handler.codec.http.HttpMethod;
import io.sluice.handlers.message.FlatHeaders;
import io.sluice.offload.Deadline;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request to an endpoint, free of the protocol's version.
 *
 * @param method any but CONNECT and TRACE
 * @param target path and query as sent, such as {@code /a%20b?c}; {@code *} for OPTIONS only
 * @param authority the value of Host
 * @param headers further fields; none that are hop-by-hop, frame the body, or are Host
 * @param length of the body in bytes; 0 without a body, -1 if unknown
 * @param upgrade the protocol of the field Upgrade; null for none
 * @param responses to the requests of its route
 * @param client the address of the client
 * @param deadline of the exchange, which may be told to the endpoint
 */
public record UpstreamRequest(HttpMethod method, String target, String authority, FlatHeaders headers,
                              long length, @Nullable String upgrade, RouteResponses responses,
                              InetSocketAddress client, Deadline deadline) {
    /** The length of a body whose end is marked by its last chunk or frame. */
    public static final long UNKNOWN = -1;

    /** Returns whether a body follows the head. */
    public boolean hasBody() {
        return length != 0;
    }

    /** Returns whether the request can be repeated without a further effect (RFC 9110 section 9.2.2). */
    public boolean isIdempotent() {
        return isIdempotent(method);
    }

    /**
     * Returns whether requests of a method can be repeated without a further effect. Of the others that are
     * registered as idempotent, such as MKCOL and MOVE, a second one may fail because of the first.
     */
    public static boolean isIdempotent(HttpMethod method) {
        return switch (method.name()) {
            case "GET", "HEAD", "OPTIONS", "PUT", "DELETE", "PROPFIND", "REPORT", "SEARCH", "QUERY" -> true;
            default -> false;
        };
    }
}
