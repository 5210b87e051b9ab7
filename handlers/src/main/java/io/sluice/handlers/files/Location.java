package io.sluice.handlers.files;

import java.nio.charset.StandardCharsets;

/** Creates values of the Location header (RFC 9110 section 10.2.2). */
final class Location {
    private static final String PLAIN = "-._~!$&'()*+,;=:@/%";

    private Location() {
    }

    /**
     * Returns the location of a directory that was requested without its final slash.
     *
     * @param path normalised: begins with one slash, and its percent signs are part of encodings
     * @param target the request's target, whose query is kept
     */
    static String ofDirectory(String path, String target) {
        var location = new StringBuilder(path.length() + 1);
        for (byte octet : path.getBytes(StandardCharsets.UTF_8)) {
            if (Character.isLetterOrDigit(octet) || PLAIN.indexOf(octet) >= 0) {
                location.append((char) octet);
            } else {
                location.append('%').append("%02X".formatted(octet));
            }
        }
        int query = target.indexOf('?');
        return location.append('/').append(query < 0 ? "" : target.substring(query)).toString();
    }
}
