package io.sluice.config.type;

import java.util.regex.Pattern;

/** A share in percent, written {@code 50%}. */
public record Share(int percent) {
    public static final String EXPECTED = "1%..100%";
    private static final Pattern PERCENT = Pattern.compile("([1-9]|[1-9][0-9]|100)%");

    /**
     * Reads a share.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static Share parse(String text) {
        if (!PERCENT.matcher(text).matches()) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return new Share(Integer.parseInt(text.substring(0, text.length() - 1)));
    }

    /** Returns this share of a number, rounded down, but at least 1. */
    public long of(long whole) {
        return Math.max(1, whole * percent / 100);
    }

    @Override
    public String toString() {
        return percent + "%";
    }
}
