package io.sluice.gateway.exchange;

import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.sluice.gateway.routing.PathNormalizer;
import io.sluice.gateway.routing.UnroutedHandler;
import io.sluice.handlers.HttpException;

/** Checks a request's head beyond the checks of the decoder, and extracts the path from the target. */
public final class RequestHead {
    private RequestHead() {
    }

    /**
     * Checks an HTTP/1 head and returns its normalised path, {@code "*"} for {@code OPTIONS} of the whole
     * server.
     *
     * @throws HttpException 400, 414, 417, 431, 501, 503 or 505 if the head is not acceptable
     */
    public static String path(HttpRequest request) {
        if (request.decoderResult().isFailure()) {
            throw refusal(request.decoderResult());
        }
        HttpVersion version = request.protocolVersion();
        if (version.majorVersion() != 1) {
            throw new HttpException(HttpResponseStatus.HTTP_VERSION_NOT_SUPPORTED,
                    version.text() + " (expected: HTTP/1.1 or HTTP/1.0)");
        }
        requireHost(request.headers(), version);
        return pathOnStream(request);
    }

    /**
     * Checks a well-formed HTTP/2 head and returns its normalised path.
     *
     * @throws HttpException 400, 417 or 501 if the head is not acceptable
     */
    public static String pathOnStream(HttpRequest request) {
        requireUnderstood(request.headers());
        if (request.method().equals(HttpMethod.CONNECT)) {
            throw new HttpException(HttpResponseStatus.NOT_IMPLEMENTED, "a method that is not known here");
        }
        return pathOf(request);
    }

    /** Returns a substitute for a request whose head has not arrived completely. */
    public static HttpRequest unfinished() {
        return new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/slow");
    }

    /** Returns whether the target is an absolute https URI. */
    public static boolean isForHttps(HttpRequest request) {
        return request.uri().regionMatches(true, 0, "https:", 0, 6);
    }

    /** Returns the error response for a request, or for the rest of one, that could not be decoded. */
    public static HttpException refusal(DecoderResult result) {
        return switch (result.cause()) {
            case HttpException refusal -> refusal;
            case TooLongHttpLineException _ -> new HttpException(HttpResponseStatus.REQUEST_URI_TOO_LONG,
                    "the request line is too long");
            case TooLongHttpHeaderException _ ->
                    new HttpException(HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
                            "the header fields are too large");
            default -> badRequest("the request is malformed");
        };
    }

    /**
     * Requires a valid Host, in HTTP/1.0 only if present (RFC 9112 section 3.2). The decoder has rejected
     * duplicates.
     */
    private static void requireHost(HttpHeaders headers, HttpVersion version) {
        String host = headers.get(HttpHeaderNames.HOST);
        if (host == null && version.minorVersion() == 0) {
            return;
        }
        if (host == null) {
            throw badRequest("no Host (expected: one)");
        }
        if (!Authority.isValid(host, 0, host.length())) {
            throw badRequest("Host: not a host (expected: such as example.com:8080)");
        }
    }

    private static void requireUnderstood(HttpHeaders headers) {
        String coding = headers.get(HttpHeaderNames.TRANSFER_ENCODING);
        if (coding != null && (!HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(coding)
                || headers.getAll(HttpHeaderNames.TRANSFER_ENCODING).size() > 1)) {
            throw new HttpException(HttpResponseStatus.NOT_IMPLEMENTED,
                    "a transfer coding that is not known here (expected: chunked)");
        }
        String expectation = headers.get(HttpHeaderNames.EXPECT);
        if (expectation != null && (!HttpHeaderValues.CONTINUE.contentEqualsIgnoreCase(expectation)
                || headers.getAll(HttpHeaderNames.EXPECT).size() > 1)) {
            throw new HttpException(HttpResponseStatus.EXPECTATION_FAILED,
                    "an expectation that is not known here (expected: 100-continue)");
        }
        if (headers.contains(HttpHeaderNames.SEC_WEBSOCKET_KEY1)) {
            // Netty reads eight bytes after such a head as a body, even without Content-Length.
            throw badRequest("a WebSocket handshake from before RFC 6455");
        }
    }

    /**
     * Returns the path of the target in origin form, absolute form or asterisk form (RFC 9112 section 3.2).
     */
    private static String pathOf(HttpRequest request) {
        String target = request.uri();
        if (target.equals(UnroutedHandler.ASTERISK)) {
            if (request.method().equals(HttpMethod.OPTIONS)) {
                return target;
            }
            throw badRequest("the target * is for OPTIONS");
        }
        int from = target.startsWith("/") ? 0 : authorityEnd(target, request.headers());
        if (from == target.length() && request.method().equals(HttpMethod.OPTIONS)) {
            return UnroutedHandler.ASTERISK; // for which this form stands (section 3.2.4)
        }
        int to = target.length();
        for (int i = 0; i < to; i++) {
            char c = target.charAt(i);
            if (c <= ' ' || c >= 0x7F || c == '#' || c == '\\') {
                throw badRequest("a character in the target that must be percent-encoded");
            }
            if (c == '?' && i >= from) {
                to = requirePlain(target, i);
            }
        }
        try {
            return from >= to ? "/" : PathNormalizer.normalize(target.substring(from, to));
        } catch (IllegalArgumentException e) {
            throw badRequest(String.valueOf(e.getMessage()));
        }
    }

    private static int requirePlain(String target, int query) {
        for (int i = query; i < target.length(); i++) {
            char c = target.charAt(i);
            if (c <= ' ' || c >= 0x7F || c == '#') {
                throw badRequest("a character in the query that must be percent-encoded");
            }
        }
        return query;
    }

    /** Returns where the authority of an absolute target ends, and replaces Host by it (section 3.2.2). */
    private static int authorityEnd(String target, HttpHeaders headers) {
        boolean http = target.regionMatches(true, 0, "http://", 0, 7);
        if (!http && !target.regionMatches(true, 0, "https://", 0, 8)) {
            throw badRequest("the target is neither a path nor an http URI");
        }
        int authority = http ? 7 : 8;
        int end = authority;
        while (end < target.length() && "/?#".indexOf(target.charAt(end)) < 0) {
            end++;
        }
        if (!Authority.isValid(target, authority, end)) {
            throw badRequest("no host in the target (expected: such as http://example.com:8080/)");
        }
        headers.set(HttpHeaderNames.HOST, target.substring(authority, end));
        return end;
    }

    private static HttpException badRequest(String detail) {
        return new HttpException(HttpResponseStatus.BAD_REQUEST, detail);
    }
}
