package io.sluice.config.type;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Pages that may use a route, by the Origin header that their browser sends (RFC 6454 section 7).
 *
 * @param text {@code *}, {@code self} or {@code scheme://host:port}, in lower case
 */
public record OriginPattern(String text) {
    public static final String EXPECTED = "an origin, such as https://app.example.com";
    /** Of all pages. */
    public static final OriginPattern ANY = new OriginPattern("*");

    private static final Pattern ORIGIN = Pattern.compile("https?://[^/:@*\\s]+(:([0-9]{1,5}|\\*))?"
            + "|https?://\\[[0-9a-f:.]+](:([0-9]{1,5}|\\*))?");

    /**
     * Reads a pattern.
     *
     * @throws IllegalArgumentException with what was expected instead
     */
    public static OriginPattern parse(String text) {
        String pattern = text.toLowerCase(Locale.ROOT);
        if (!pattern.equals("*") && !pattern.equals("self") && !ORIGIN.matcher(pattern).matches()) {
            throw new IllegalArgumentException(
                    "*, self, or an origin such as https://app.example.com or http://localhost:*");
        }
        return new OriginPattern(asSent(pattern));
    }

    /** An origin as browsers send it: without the port that its scheme stands for. */
    private static String asSent(String origin) {
        boolean isDefault = origin.endsWith(":80") && origin.startsWith("http://")
                || origin.endsWith(":443") && origin.startsWith("https://");
        return isDefault ? origin.substring(0, origin.lastIndexOf(':')) : origin;
    }

    /**
     * Whether an origin is meant.
     *
     * @param origin as a browser sends it
     * @param scheme that the page itself has been asked for with, {@code http} or {@code https}; null where
     *     nobody knows
     * @param host that it has been asked from: with the scheme, what {@code self} stands for
     */
    public boolean matches(String origin, String scheme, String host) {
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
