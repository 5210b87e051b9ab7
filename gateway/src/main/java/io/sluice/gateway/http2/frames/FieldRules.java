package io.sluice.gateway.http2.frames;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValidationUtil;
import io.netty.handler.codec.http2.Http2Headers.PseudoHeaderName;
import io.netty.util.AsciiString;
import io.sluice.handlers.message.HeaderField;
import org.jspecify.annotations.Nullable;

/** Validates header fields of requests (RFC 9113 sections 8.2 and 8.3, RFC 9110 section 5). */
final class FieldRules {
    private static final boolean[] NAME = new boolean[256];

    static {
        "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz".chars().forEach(c -> NAME[c] = true);
    }

    private FieldRules() {
    }

    /** Returns the flaw of a value; null if valid. */
    static @Nullable String flaw(AsciiString value) {
        return HttpHeaderValidationUtil.validateValidHeaderValue(value) >= 0
                || HeaderField.endsWithBlank(value)
                ? "an invalid octet in the value of a field" : null;
    }

    /** Returns the flaw of a field other than a pseudo-header field; null if valid. */
    static @Nullable String flaw(AsciiString name, CharSequence value) {
        if (!isName(name)) {
            return "the name of a field is not a lower-case token";
        }
        if (HttpHeaderValidationUtil.isConnectionHeader(name, true)) {
            return "a connection-specific field: " + name;
        }
        if (HttpHeaderNames.CONTENT_LENGTH.equals(name) && !value.chars().allMatch(Character::isDigit)) {
            return "content-length is not a number";
        }
        return HttpHeaderValidationUtil.isTeNotTrailers(name, value) ? "TE with more than trailers" : null;
    }

    private static boolean isName(AsciiString name) {
        for (int i = 0; i < name.length(); i++) {
            if (!NAME[name.byteAt(i) & 0xFF]) {
                return false;
            }
        }
        return !name.isEmpty();
    }

    static boolean isPseudoOfRequest(CharSequence name) {
        return PseudoHeaderName.METHOD.value().contentEquals(name)
                || PseudoHeaderName.PATH.value().contentEquals(name)
                || PseudoHeaderName.SCHEME.value().contentEquals(name)
                || PseudoHeaderName.AUTHORITY.value().contentEquals(name)
                || PseudoHeaderName.PROTOCOL.value().contentEquals(name);
    }
}
