package io.sluice.handlers;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * One mistake in a request: an element of {@code errors} in a problem (RFC 9457 section 3.2). Long texts are
 * shortened.
 *
 * @param place the name in the problem's detail, such as {@code lines/0}; empty for the whole body
 * @param key the member that says where the mistake is: {@code pointer}, {@code parameter} or
 *     {@code constraint}
 * @param at the value of that member, such as {@code #/lines/0}
 * @param detail the mistake, such as {@code abc (expected: a whole number)}
 */
public record Mistake(String place, String key, String at, String detail) {
    private static final int MAX_SHOWN = 100;
    private static final int MAX_TEXT = 1000;

    /** Shortens the texts. */
    public Mistake {
        place = shortened(place, MAX_SHOWN);
        at = shortened(at, MAX_TEXT);
        detail = shortened(detail);
    }

    /** Returns a mistake in a parameter that is not from a JSON body. */
    public static Mistake ofParameter(String name, String detail) {
        return new Mistake(name, "parameter", name, detail);
    }

    /** Returns a mistake in a member of the body. */
    public static Mistake ofMember(String name, String detail) {
        return new Mistake(name, "pointer", "#/" + token(name), detail);
    }

    /** Returns a mistake in an element of an array in the body. */
    public static Mistake ofElement(String name, int index, String detail) {
        return new Mistake(name + '/' + index, "pointer", "#/" + token(name) + '/' + index, detail);
    }

    /** Returns this mistake in a member, as one in that member of an element of an array. */
    public Mistake within(String array, int index) {
        return new Mistake(array + '/' + index + '/' + place, key,
                "#/" + token(array) + '/' + index + at.substring(1), detail);
    }

    /** Returns a mistake of the body as a whole, such as {@code body (expected: a JSON object)}. */
    public static Mistake ofBody(String detail) {
        return new Mistake("", "pointer", "#", detail);
    }

    /** Returns this mistake in a body as one in a row of an array of such bodies. */
    public Mistake inRow(int row) {
        return new Mistake(place.isEmpty() ? String.valueOf(row) : row + "/" + place, key,
                "#/" + row + at.substring(1), detail);
    }

    /** Returns a violated constraint. */
    public static Mistake ofConstraint(String name, String detail) {
        return new Mistake(name, "constraint", name, detail);
    }

    /** Returns the detail of a value that is not valid. */
    public static String unexpected(String value, String expected) {
        return shortened(value, MAX_SHOWN) + " (expected: " + expected + ')';
    }

    /** Returns the first 1,000 characters of a text. */
    public static String shortened(String text) {
        return shortened(text, MAX_TEXT);
    }

    /** Returns a reference token in the fragment of a URI, RFC 6901 sections 3 and 6. */
    private static String token(String name) {
        String escaped = shortened(name, MAX_SHOWN).replace("~", "~0").replace("/", "~1");
        return URLEncoder.encode(escaped, StandardCharsets.UTF_8).replace("+", "%20").replace("%7E", "~");
    }

    private static String shortened(String text, int codePoints) {
        return text.length() <= codePoints || text.codePointCount(0, text.length()) <= codePoints ? text
                : text.substring(0, text.offsetByCodePoints(0, codePoints)) + '\u2026';
    }

    /** Returns the place and the mistake. */
    @Override
    public String toString() {
        return place.isEmpty() ? detail : place + ": " + detail;
    }
}
