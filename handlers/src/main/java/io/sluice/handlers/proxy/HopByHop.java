package io.sluice.handlers.proxy;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import io.sluice.handlers.FlatHeaders;
import java.util.ArrayList;
import java.util.List;
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

    private static boolean same(AsciiString name, CharSequence other) {
        return name.contentEqualsIgnoreCase(other);
    }

    /** Returns the names in a message's Connection, in lower case, that {@link #is} does not know. */
    static List<String> named(HttpHeaders headers) {
        if (!headers.contains(HttpHeaderNames.CONNECTION)) {
            return List.of();
        }
        var names = new ArrayList<String>(0);
        for (String line : headers.getAll(HttpHeaderNames.CONNECTION)) {
            for (String name : line.split(",")) {
                String stripped = name.strip();
                if (!stripped.isEmpty() && !stripped.equalsIgnoreCase("close") && !is(stripped)) {
                    names.add(stripped);
                }
            }
        }
        return names;
    }

    /** Returns a copy of the fields that are passed on, in their order and spelling. */
    static FlatHeaders without(HttpHeaders headers, Predicate<CharSequence> unwanted) {
        FlatHeaders copy = headers instanceof FlatHeaders flat ? flat.copy() : copied(headers);
        remove(copy, unwanted);
        return copy;
    }

    /** Removes the fields of a response that are not passed on, but its Content-Length. */
    static FlatHeaders ofResponse(HttpHeaders headers) {
        FlatHeaders own = headers instanceof FlatHeaders flat ? flat : copied(headers);
        String length = own.get(HttpHeaderNames.CONTENT_LENGTH);
        remove(own, _ -> false);
        if (length != null) {
            own.set(HttpHeaderNames.CONTENT_LENGTH, length);
        }
        return own;
    }

    private static void remove(FlatHeaders headers, Predicate<CharSequence> unwanted) {
        List<String> named = named(headers);
        headers.removeIf(named.isEmpty() ? name -> is(name) || unwanted.test(name)
                : name -> is(name) || unwanted.test(name) || named.stream()
                        .anyMatch(other -> AsciiString.contentEqualsIgnoreCase(other, name)));
    }

    private static FlatHeaders copied(HttpHeaders headers) {
        var copy = new FlatHeaders(Math.max(1, headers.size()));
        headers.iteratorCharSequence().forEachRemaining(field -> copy.add(field.getKey(), field.getValue()));
        return copy;
    }
}
