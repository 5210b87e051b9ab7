package io.sluice.config.type;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of a request by whose hash its endpoint is chosen: {@code header X-User}, {@code cookie sid} or
 * {@code address}.
 *
 * @param name of the header or cookie; empty for the address
 */
public record HashBy(Part part, String name) {
    public static final String EXPECTED = "header and its name, cookie and its name, or address";

    private static final Pattern NAMED = Pattern.compile("(header|cookie)\\s+([!#$%&'*+.^_`|~0-9A-Za-z-]+)");

    /** The parts of requests. */
    public enum Part {
        /** A header. */
        HEADER,
        /** A cookie. */
        COOKIE,
        /** The address of the client, of which IPv6 counts 64 bits. */
        ADDRESS
    }

    /**
     * Reads a part.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static HashBy parse(String text) {
        if (text.strip().equals("address")) {
            return new HashBy(Part.ADDRESS, "");
        }
        Matcher named = NAMED.matcher(text.strip());
        if (!named.matches()) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return new HashBy(Part.valueOf(named.group(1).toUpperCase(Locale.ROOT)), named.group(2));
    }

    @Override
    public String toString() {
        return (part.name().toLowerCase(Locale.ROOT) + ' ' + name).strip();
    }
}
