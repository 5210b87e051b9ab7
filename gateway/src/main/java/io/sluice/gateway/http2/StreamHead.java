package io.sluice.gateway.http2;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValidationUtil;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpScheme;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.util.AsciiString;
import io.sluice.gateway.exchange.Authority;
import io.sluice.gateway.http2.frames.ReceivedHeaders;
import io.sluice.gateway.routing.UnroutedHandler;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.message.FlatHeaders;
import io.sluice.handlers.message.Trailers;
import java.util.List;
import java.util.Map;

/** Converts the first header fields of a stream to a request (RFC 9113 section 8.3.1). */
final class StreamHead {
    private static final HttpVersion HTTP_2 = new HttpVersion("HTTP", 2, 0, true);
    private static final HttpMethod UNKNOWN = HttpMethod.valueOf("UNKNOWN");

    private StreamHead() {
    }

    /**
     * Converts header fields to a request.
     *
     * @throws HttpException 400 if they are malformed; the stream is then reset without a response
     */
    static HttpRequest request(ReceivedHeaders fields) {
        if (fields.flaw() != null) {
            throw malformed(fields.flaw());
        }
        CharSequence protocol = fields.protocol();
        HttpMethod method = protocol == null ? method(fields) : methodOfTunnel(fields, protocol);
        // Not validated by Netty: RequestHead rejects malformed parts with a response.
        HttpRequest request =
                new DefaultHttpRequest(HTTP_2, method, target(method, fields), regular(fields), false);
        setHost(request.headers(), fields.authority());
        if (protocol != null) {
            request.headers().set(HttpHeaderNames.UPGRADE, protocol);
        }
        return request;
    }

    /** Returns a substitute for a request with missing fields: sufficient to respond and to count it. */
    static HttpRequest untrusted(ReceivedHeaders fields) {
        boolean head = fields.method() != null && HttpMethod.HEAD.asciiName().contentEquals(fields.method());
        return head ? new DefaultHttpRequest(HTTP_2, HttpMethod.HEAD, "/") : unknown();
    }

    /** Returns a substitute for an unknown request. */
    static HttpRequest unknown() {
        return new DefaultHttpRequest(HTTP_2, UNKNOWN, "/");
    }

    /**
     * Rejects well-formed requests that the gateway does not serve.
     *
     * @param maxPath in bytes
     * @throws HttpException 400 or 414
     */
    static void requireServed(ReceivedHeaders fields, long maxPath) {
        CharSequence scheme = fields.scheme();
        if (scheme != null && !HttpScheme.HTTPS.name().contentEqualsIgnoreCase(scheme)
                && !HttpScheme.HTTP.name().contentEqualsIgnoreCase(scheme)) {
            throw malformed(":scheme is neither http nor https");
        }
        if (fields.path() != null && fields.path().length() > maxPath) {
            throw new HttpException(HttpResponseStatus.REQUEST_URI_TOO_LONG, "the path is too long");
        }
    }

    /** Returns whether {@code :scheme} is https. */
    static boolean isForHttps(ReceivedHeaders fields) {
        return fields.scheme() != null && HttpScheme.HTTPS.name().contentEqualsIgnoreCase(fields.scheme());
    }

    private static HttpMethod method(ReceivedHeaders fields) {
        try {
            return HttpMethod.valueOf(required(fields.method(), ":method"));
        } catch (IllegalArgumentException e) {
            throw malformed(":method is no token");
        }
    }

    /**
     * Returns GET, as which an extended CONNECT (RFC 8441 section 4) is presented here. As in HTTP/1.1 it has
     * the field {@code Upgrade}, which no other HTTP/2 request has.
     */
    private static HttpMethod methodOfTunnel(ReceivedHeaders fields, CharSequence protocol) {
        if (!method(fields).equals(HttpMethod.CONNECT)) {
            throw malformed(":protocol without CONNECT");
        }
        if (fields.contains(HttpHeaderNames.CONTENT_LENGTH)) { // no content follows (RFC 9110 section 9.3.6)
            throw malformed("content-length in an extended CONNECT");
        }
        if (protocol.isEmpty() || HttpHeaderValidationUtil.validateToken(protocol) >= 0) {
            throw malformed(":protocol is no token");
        }
        return HttpMethod.GET;
    }

    private static String target(HttpMethod method, ReceivedHeaders fields) {
        if (method.equals(HttpMethod.CONNECT)) {
            // RFC 9113 section 8.5. A well-formed CONNECT is rejected later, as a method that is not served.
            if (fields.scheme() != null || fields.path() != null) {
                throw malformed("CONNECT with :scheme or :path");
            }
            return required(fields.authority(), ":authority");
        }
        required(fields.scheme(), ":scheme");
        String path = required(fields.path(), ":path");
        if (path.charAt(0) != '/'
                && !(method.equals(HttpMethod.OPTIONS) && path.equals(UnroutedHandler.ASTERISK))) {
            throw malformed(":path does not begin with a slash");
        }
        return path;
    }

    private static String required(CharSequence value, String name) {
        if (value == null || value.isEmpty()) {
            throw malformed(name + " is missing");
        }
        return value.toString();
    }

    /** Converts trailers to the end of a body; omits fields that must not be trailers. */
    static LastHttpContent end(ReceivedHeaders fields) {
        FlatHeaders trailers = regular(fields);
        trailers.removeIf(name -> !Trailers.mayHold(name));
        var end = new DefaultLastHttpContent(Unpooled.EMPTY_BUFFER, trailers);
        if (fields.tooLarge()) {
            end.setDecoderResult(DecoderResult.failure(new TooLongHttpHeaderException("too many trailers")));
        }
        return end;
    }

    private static FlatHeaders regular(ReceivedHeaders fields) {
        var headers = new FlatHeaders(8);
        CookieCrumbs cookies = null;
        for (Map.Entry<CharSequence, CharSequence> field : fields) {
            CharSequence name = field.getKey();
            if (HttpHeaderNames.COOKIE.contentEquals(name)) {
                cookies = cookies == null ? new CookieCrumbs() : cookies;
                cookies.add(field.getValue());
            } else if (name.charAt(0) != ':') {
                headers.add(name, field.getValue());
            }
        }
        if (cookies != null) {
            headers.set(HttpHeaderNames.COOKIE, cookies);
        }
        return headers;
    }

    /** Sets Host from {@code :authority}. Both must be equal, as later handlers see only one of them. */
    private static void setHost(HttpHeaders headers, CharSequence authority) {
        List<String> hosts = headers.getAll(HttpHeaderNames.HOST);
        if (hosts.size() > 1) {
            throw malformed("Host: " + hosts.size() + " fields");
        }
        String host = authority != null ? authority.toString() : hosts.isEmpty() ? "" : hosts.getFirst();
        if (!Authority.isValid(host, 0, host.length())) {
            throw malformed("neither :authority nor Host is a host");
        }
        if (!hosts.isEmpty() && !AsciiString.contentEqualsIgnoreCase(hosts.getFirst(), host)) {
            throw malformed("Host is not :authority");
        }
        headers.set(HttpHeaderNames.HOST, host);
    }

    private static HttpException malformed(String detail) {
        return new HttpException(HttpResponseStatus.BAD_REQUEST, detail);
    }
}
