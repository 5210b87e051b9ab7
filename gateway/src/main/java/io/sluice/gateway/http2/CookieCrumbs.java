package io.sluice.gateway.http2;

import java.util.ArrayList;
import java.util.List;

/**
 * The value of {@code Cookie} from several fields of a stream, separated by "; " (RFC 9113 section 8.2.3).
 * The fields are not joined before they are read, nor kept joined: by references into the HPACK table, a
 * client repeats 4 KiB of them in a byte, and its streams share these. Not thread-safe.
 */
final class CookieCrumbs implements CharSequence {
    private static final String SEPARATOR = "; ";

    private final List<CharSequence> crumbs = new ArrayList<>(2);
    private int length = -SEPARATOR.length();
    /** The crumb of the last access and where it begins: characters are read one after another. */
    private int crumb;
    private int begin;

    void add(CharSequence value) {
        crumbs.add(value);
        length += SEPARATOR.length() + value.length();
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public char charAt(int index) {
        if (index < begin) {
            crumb = 0;
            begin = 0;
        }
        CharSequence at = crumbs.get(crumb);
        while (index >= begin + at.length() + SEPARATOR.length()) {
            begin += at.length() + SEPARATOR.length();
            crumb++;
            at = crumbs.get(crumb);
        }
        int within = index - begin;
        return within < at.length() ? at.charAt(within) : SEPARATOR.charAt(within - at.length());
    }

    @Override
    public CharSequence subSequence(int from, int to) {
        return toString().subSequence(from, to);
    }

    @Override
    public String toString() {
        return String.join(SEPARATOR, crumbs);
    }
}
