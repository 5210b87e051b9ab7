package io.sluice.handlers.files;

import java.nio.charset.StandardCharsets;

/** Where something is to be asked for instead: a Location header's value (RFC 9110 section 10.2.2). */
final class Location {
    private static final String PLAIN = "-._~!$&'()*+,;=:@/%";

    private Location() {
    }

    /**
     * A directory, for a client that has left its slash out.
     *
     * @param path normalised: it begins with one slash, and what it has of percent signs is encoding
     * @param target with the query, which is kept
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
