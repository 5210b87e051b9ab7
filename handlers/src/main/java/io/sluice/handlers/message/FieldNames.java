package io.sluice.handlers.message;

import io.netty.util.AsciiString;

/**
 * Compares names of fields as servers do that turn them into variables (RFC 3875 section 4.1.18): upper and
 * lower case are the same there, and so may be all characters that are neither letters nor digits.
 */
public final class FieldNames {

    private FieldNames() {
    }

    /**
     * Returns whether a server could take a name for another one.
     *
     * @param known in lower case
     */
    public static boolean same(AsciiString known, CharSequence name) {
        return name.length() == known.length() && begins(known, name);
    }

    /**
     * Returns whether a server could take a name for one that begins with another.
     *
     * @param known in lower case
     */
    public static boolean begins(AsciiString known, CharSequence name) {
        if (name.length() < known.length()) {
            return false;
        }
        for (int i = 0; i < known.length(); i++) {
            char expected = known.charAt(i);
            char c = name.charAt(i);
            boolean same = c == expected || AsciiString.toLowerCase(c) == expected
                    || expected == '-' && !isLetterOrDigit(c);
            if (!same) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLetterOrDigit(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
    }
}
