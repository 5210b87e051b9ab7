package io.sluice.config.type;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A media type (RFC 9110 section 8.3.1), or a pattern of several.
 *
 * @param text in lower case; one {@code *} stands for any part of the subtype
 */
public record MediaTypePattern(String text) {
    public static final String EXPECTED = "a media type, such as text/html";
    private static final String TOKEN = "[a-z0-9!#$%&'+.^_`|~-]";
    private static final Pattern PATTERN = Pattern.compile(TOKEN + "+/" + TOKEN + "*\\*?" + TOKEN + "*");

    /**
     * Reads a pattern.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static MediaTypePattern parse(String text) {
        String pattern = text.toLowerCase(Locale.ROOT);
        if (!PATTERN.matcher(pattern).matches() || pattern.endsWith("/")) {
            throw new IllegalArgumentException("a media type, such as text/html, text/*, application/*json");
        }
        return new MediaTypePattern(pattern);
    }

    /** Returns whether a Content-Type matches; its parameters are ignored. */
    public boolean matches(String contentType) {
        int end = contentType.indexOf(';');
        String type = contentType.substring(0, end < 0 ? contentType.length() : end).strip()
                .toLowerCase(Locale.ROOT);
        int star = text.indexOf('*');
        return star < 0 ? type.equals(text)
                : type.length() >= text.length() - 1 && type.startsWith(text.substring(0, star))
                && type.endsWith(text.substring(star + 1));
    }

    @Override
    public String toString() {
        return text;
    }
}
