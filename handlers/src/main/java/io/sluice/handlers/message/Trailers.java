package io.sluice.handlers.message;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.Set;

/** Rules for trailer fields, which follow a body (RFC 9110 section 6.5). */
public final class Trailers {
    /**
     * Fields for framing, routing, authentication and the body's format, needed before it (section 6.5.1).
     */
    private static final Set<AsciiString> FORBIDDEN = Set.of(HttpHeaderNames.TRANSFER_ENCODING,
            HttpHeaderNames.CONTENT_LENGTH, HttpHeaderNames.CONTENT_TYPE, HttpHeaderNames.CONTENT_ENCODING,
            HttpHeaderNames.CONTENT_RANGE, HttpHeaderNames.HOST, HttpHeaderNames.CONNECTION,
            HttpHeaderNames.UPGRADE, HttpHeaderNames.TRAILER, HttpHeaderNames.TE, HttpHeaderNames.EXPECT,
            HttpHeaderNames.AUTHORIZATION, HttpHeaderNames.PROXY_AUTHORIZATION, HttpHeaderNames.COOKIE,
            HttpHeaderNames.SET_COOKIE);

    private Trailers() {
    }

    /** Returns whether a field of this name, in upper or lower case, may be a trailer. */
    public static boolean mayHold(CharSequence name) {
        return !FORBIDDEN.contains(AsciiString.of(name).toLowerCase());
    }

    /**
     * Checks the trailers of a response.
     *
     * @throws IllegalArgumentException if a name is no token, a value has control characters, or a field is
     *     not allowed as a trailer
     */
    public static void requireValid(HttpHeaders trailers) {
        HeaderField.requireValid(trailers);
        for (String name : trailers.names()) {
            if (!mayHold(name)) {
                throw new IllegalArgumentException("a field that may not be a trailer: " + name);
            }
        }
    }
}
