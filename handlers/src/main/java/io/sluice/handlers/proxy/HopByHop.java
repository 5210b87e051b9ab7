package io.sluice.handlers.proxy;

import static io.sluice.handlers.message.FieldNames.same;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.message.ConnectionOptions;
import io.sluice.handlers.message.FlatHeaders;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Selects the fields that a proxy does not pass on (RFC 9110 section 7.6.1): those for one connection only,
 * and those that Connection names.
 */
final class HopByHop {
    private static final AsciiString KEEP_ALIVE = AsciiString.cached("keep-alive");
    private static final AsciiString PROXY_CONNECTION = AsciiString.cached("proxy-connection");
    private static final AsciiString PROXY_AUTHENTICATION_INFO =
            AsciiString.cached("proxy-authentication-info");
    private static final AsciiString ALT_SVC = AsciiString.cached("alt-svc");
    private static final AsciiString HTTP2_SETTINGS = AsciiString.cached("http2-settings");

    private HopByHop() {
    }

    /** Returns whether a field of this name is for one connection only, or frames the body. */
    static boolean is(CharSequence name) {
        return switch (name.length()) {
            case 2 -> same(HttpHeaderNames.TE, name);
            case 7 -> same(HttpHeaderNames.UPGRADE, name) || same(ALT_SVC, name);
            case 10 -> same(HttpHeaderNames.CONNECTION, name) || same(KEEP_ALIVE, name);
            case 14 -> same(HttpHeaderNames.CONTENT_LENGTH, name) || same(HTTP2_SETTINGS, name);
            case 16 -> same(PROXY_CONNECTION, name);
            case 17 -> same(HttpHeaderNames.TRANSFER_ENCODING, name);
            case 18 -> same(HttpHeaderNames.PROXY_AUTHENTICATE, name);
            case 19 -> same(HttpHeaderNames.PROXY_AUTHORIZATION, name);
            case 25 -> same(PROXY_AUTHENTICATION_INFO, name);
            default -> false;
        };
    }

    /**
     * Checks the number of names in a request's Connection.
     *
     * @throws HttpException 400 if there are too many
     */
    static void requireFew(HttpHeaders headers) {
        if (!ConnectionOptions.areFew(headers)) {
            throw new HttpException(HttpResponseStatus.BAD_REQUEST,
                    "connection (expected: at most " + ConnectionOptions.MOST + " options)");
        }
    }

    /**
     * Returns the names in a message's Connection, of fields and trailers that are not passed on; empty for
     * most messages. Their number has been checked, by {@link #requireFew} or by the decoder of responses.
     */
    static Set<String> named(HttpHeaders headers) {
        if (!headers.contains(HttpHeaderNames.CONNECTION)) {
            return Set.of();
        }
        Set<String> names = Set.of();
        for (String line : headers.getAll(HttpHeaderNames.CONNECTION)) {
            for (String name : line.split(",")) {
                String stripped = name.strip();
                if (!stripped.equalsIgnoreCase("close") && !is(stripped)) {
                    names = names.isEmpty() ? new TreeSet<>(String.CASE_INSENSITIVE_ORDER) : names;
                    names.add(stripped);
                }
            }
        }
        return names;
    }

    /** Returns a copy of the fields that are passed on, in their order and spelling. */
    static FlatHeaders without(HttpHeaders headers, Predicate<CharSequence> unwanted) {
        FlatHeaders copy = headers instanceof FlatHeaders flat ? flat.copy() : copied(headers);
        remove(copy, named(headers), name -> is(name) || unwanted.test(name));
        return copy;
    }

    /**
     * Removes the fields of a response that are not passed on, but its Content-Length. Returns the same
     * headers if they are of the expected class.
     *
     * @param named the names in their Connection
     */
    static FlatHeaders ofResponse(HttpHeaders headers, Set<String> named) {
        FlatHeaders own = headers instanceof FlatHeaders flat ? flat : copied(headers);
        remove(own, named, name -> is(name) && !HttpHeaderNames.CONTENT_LENGTH.contentEqualsIgnoreCase(name));
        return own;
    }

    private static void remove(FlatHeaders headers, Set<String> named, Predicate<CharSequence> unwanted) {
        headers.removeIf(named.isEmpty() ? unwanted
                : name -> unwanted.test(name) || named.contains(name.toString()));
    }

    private static FlatHeaders copied(HttpHeaders headers) {
        var copy = new FlatHeaders(Math.max(1, headers.size()));
        headers.iteratorCharSequence().forEachRemaining(field -> copy.add(field.getKey(), field.getValue()));
        return copy;
    }
}
