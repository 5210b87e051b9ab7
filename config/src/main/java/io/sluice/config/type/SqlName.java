package io.sluice.config.type;

import java.util.regex.Pattern;

/** A name in a database, in the case in which the database has it. */
public record SqlName(String text) {
    public static final String EXPECTED = "a name of letters, digits and _";

    private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_$]*");

    /**
     * Accepts letters, digits, {@code _} and {@code $}.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static SqlName parse(String text) {
        if (!NAME.matcher(text).matches()) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return new SqlName(text);
    }

    /** Returns the name in quotes, for SQL. */
    public String quoted() {
        return '"' + text + '"';
    }

    @Override
    public String toString() {
        return text;
    }
}
