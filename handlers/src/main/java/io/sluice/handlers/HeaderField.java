package io.sluice.handlers;

import io.netty.handler.codec.http.HttpHeaderValidationUtil;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;

/** A header field whose name and value have been checked once, to be set in many messages. Any thread. */
public final class HeaderField {
    private final AsciiString name;
    private final CharSequence value;

    /**
     * Checks a field.
     *
     * @throws IllegalArgumentException where it would not be one (RFC 9110 sections 5.1 and 5.5)
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
     * Checks fields that may have been added without a check: a line end in one of them ends the message.
     *
     * @throws IllegalArgumentException where a name is no token, or a value has control characters
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

    /**
     * A field of the same name.
     *
     * @throws IllegalArgumentException where the value would not be one
     */
    public HeaderField with(CharSequence other) {
        return new HeaderField(this, other);
    }

    /** Its name. */
    public AsciiString name() {
        return name;
    }

    /** Its value. */
    public CharSequence value() {
        return value;
    }
}
