package io.sluice.gateway.filter;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.config.type.MediaTypePattern;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Selects the responses of a route that are compressed, whatever their clients accept.
 *
 * @param minSize in bytes
 */
record Compressible(long minSize, Set<MediaTypePattern> types) {
    private static final Set<HttpResponseStatus> BODYLESS =
            Set.of(HttpResponseStatus.NO_CONTENT, HttpResponseStatus.RESET_CONTENT);
    /** gRPC codes each message, not the body; gRPC-Web is left to browsers. */
    private static final Pattern GRPC =
            Pattern.compile("application/grpc(?!-)", Pattern.CASE_INSENSITIVE);
    /** Digests of the bytes as the handler or the upstream has coded them (RFC 9530, 3230 and 1864). */
    private static final Set<String> DIGESTS =
            Set.of("content-digest", "repr-digest", "digest", "content-md5");

    /**
     * Returns whether a response is compressed.
     *
     * @param length that of the body in bytes; -1 if unknown
     */
    boolean includes(HttpResponse head, long length) {
        HttpHeaders headers = head.headers();
        String type = headers.get(HttpHeaderNames.CONTENT_TYPE);
        return (length < 0 || length >= minSize) && type != null && !BODYLESS.contains(head.status())
                && !headers.contains(HttpHeaderNames.CONTENT_ENCODING)
                && DIGESTS.stream().noneMatch(digest -> headers.contains(digest)
                        || headers.containsValue(HttpHeaderNames.TRAILER, digest, true))
                && !headers.containsValue(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_TRANSFORM, true)
                && types.stream().anyMatch(pattern -> pattern.matches(type))
                && !GRPC.matcher(type).lookingAt();
    }

    /** Removes digests of the uncompressed bytes, which the head has not announced. */
    static void removeDigests(HttpHeaders trailers) {
        if (!trailers.isEmpty()) {
            DIGESTS.forEach(trailers::remove);
        }
    }
}
