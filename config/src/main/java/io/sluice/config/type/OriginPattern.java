package io.sluice.config.type;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The origin of pages that may use a route, compared with the Origin header (RFC 6454 section 7).
 *
 * @param text {@code *}, {@code self} or {@code scheme://host:port}, in lower case
 */
public record OriginPattern(String text) {
    public static final String EXPECTED = "an origin, such as https://app.example.com";
    /** Matches any origin. */
    public static final OriginPattern ANY = new OriginPattern("*");

    private static final Pattern ORIGIN = Pattern.compile("https?://[^/:@*\\s]+(:([0-9]{1,5}|\\*))?"
            + "|https?://\\[[0-9a-f:.]+](:([0-9]{1,5}|\\*))?");

    /**
     * Reads a pattern.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static OriginPattern parse(String text) {
        String pattern = text.toLowerCase(Locale.ROOT);
        if (!pattern.equals("*") && !pattern.equals("self") && !ORIGIN.matcher(pattern).matches()) {
            throw new IllegalArgumentException(
                    "*, self, or an origin such as https://app.example.com or http://localhost:*");
        }
        return new OriginPattern(asSent(pattern));
    }

    /** Returns an origin as browsers send it: without the default port of its scheme. */
    private static String asSent(String origin) {
        boolean isDefault = origin.endsWith(":80") && origin.startsWith("http://")
                || origin.endsWith(":443") && origin.startsWith("https://");
        return isDefault ? origin.substring(0, origin.lastIndexOf(':')) : origin;
    }

    /**
     * Returns whether an origin matches.
     *
     * @param origin the Origin header
     * @param scheme {@code http} or {@code https}, with which the client sent its request; null if unknown
     * @param host the host, with its port, of the request; together with the scheme it is what {@code self}
     *     means
     */
    public boolean matches(String origin, @Nullable String scheme, String host) {
        String lower = origin.toLowerCase(Locale.ROOT);
        if (text.equals("self")) {
            String from = "://" + host.toLowerCase(Locale.ROOT);
            return scheme == null
                    ? lower.equals(asSent("http" + from)) || lower.equals(asSent("https" + from))
                    : lower.equals(asSent(scheme + from));
        }
        if (!text.endsWith(":*")) {
            return text.equals("*") || text.equals(lower);
        }
        String anyPort = text.substring(0, text.length() - 2);
        return lower.equals(anyPort) || lower.startsWith(anyPort + ':')
                && lower.substring(anyPort.length() + 1).chars().allMatch(Character::isDigit);
    }

    @Override
    public String toString() {
        return text;
    }
}
