package io.sluice.handlers.message;

import io.netty.handler.codec.http.HttpHeaderValidationUtil;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;

/** A header field that has been checked once, to be set in many messages. Thread-safe. */
public final class HeaderField {
    private final AsciiString name;
    private final CharSequence value;

    /**
     * Checks a field.
     *
     * @throws IllegalArgumentException if the name or the value is malformed (RFC 9110 sections 5.1 and 5.5)
     */
    public HeaderField(AsciiString name, CharSequence value) {
        requireName(name);
        requireValue(name, value);
        this.name = name;
        this.value = value;
    }

    private HeaderField(HeaderField checked, CharSequence value) {
        requireValue(checked.name, value);
        name = checked.name;
        this.value = value;
    }

    /**
     * Checks fields that may have been added without a check: a line break in one would end the message head.
     *
     * @throws IllegalArgumentException if a name is no token, or a value has control characters
     */
    public static void requireValid(HttpHeaders headers) {
        if (headers instanceof FlatHeaders) {
            return; // always checks
        }
        headers.iteratorCharSequence().forEachRemaining(field -> {
            requireName(field.getKey());
            requireValue(field.getKey(), field.getValue());
        });
    }

    static void requireName(CharSequence name) {
        if (name.isEmpty() || HttpHeaderValidationUtil.validateToken(name) >= 0) {
            throw new IllegalArgumentException("a header name that is no token: " + name);
        }
    }

    static void requireValue(CharSequence name, CharSequence value) {
        if (HttpHeaderValidationUtil.validateValidHeaderValue(value) >= 0) {
            throw new IllegalArgumentException("a control character in the header " + name);
        }
    }

    /** Returns whether a value ends with a blank, which is no part of it (RFC 9113 section 8.2.1). */
    public static boolean endsWithBlank(CharSequence value) {
        char last = value.isEmpty() ? 0 : value.charAt(value.length() - 1);
        return last == ' ' || last == '\t';
    }

    /**
     * Returns a field of the same name with another value.
     *
     * @throws IllegalArgumentException if the value is malformed
     */
    public HeaderField with(CharSequence other) {
        return new HeaderField(this, other);
    }

    /** Returns the name. */
    public AsciiString name() {
        return name;
    }

    /** Returns the value. */
    public CharSequence value() {
        return value;
    }
}
