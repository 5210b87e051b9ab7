package io.sluice.handlers.files;

import java.nio.charset.StandardCharsets;

/** Creates values of the Location header (RFC 9110 section 10.2.2). */
public final class Location {
    private static final String PLAIN = "-._~!$&'()*+,;=:@";

    private Location() {
    }

    /**
     * Returns the location of a directory that was requested without its final slash.
     *
     * @param path normalised: begins with one slash, and its percent signs are part of encodings
     * @param target the request's target, whose query is kept
     */
    static String ofDirectory(String path, String target) {
        int query = target.indexOf('?');
        return encoded(path, PLAIN + "/%") + '/' + (query < 0 ? "" : target.substring(query));
    }

    /** Returns a decoded segment of a path as it is in a URI (RFC 3986 section 3.3). */
    public static String encoded(String segment) {
        return encoded(segment, PLAIN);
    }

    private static String encoded(String text, String plain) {
        var encoded = new StringBuilder(text.length());
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            if (Character.isLetterOrDigit(octet) || plain.indexOf(octet) >= 0) {
                encoded.append((char) octet);
            } else {
                encoded.append('%').append("%02X".formatted(octet));
            }
        }
        return encoded.toString();
    }
}
