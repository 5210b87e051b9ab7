package io.sluice.config.type;

import java.util.regex.Pattern;

/**
 * The name of a header field (RFC 9110 section 5.1).
 *
 * @param text the name as it is written; {@code *} for any
 */
public record HeaderName(String text) {
    public static final String EXPECTED = "the name of a header, such as Content-Type";
    /** Matches any name. */
    public static final HeaderName ANY = new HeaderName("*");

    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    /**
     * Reads a name.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static HeaderName parse(String text) {
        if (!isValid(text)) {
            throw new IllegalArgumentException("the name of a header, such as Content-Type, or *");
        }
        return new HeaderName(text);
    }

    /** Returns whether a text is a token, as names are. */
    public static boolean isValid(String text) {
        return TOKEN.matcher(text).matches();
    }

    @Override
    public String toString() {
        return text;
    }
}
