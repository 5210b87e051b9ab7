package io.sluice.config.type;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The source of a row's entity tag: {@code column version}, or {@code hash}.
 *
 * @param column the name of the column; empty for a hash of the response
 */
public record EtagSource(Optional<String> column) {
    public static final String EXPECTED = "column and its name, such as column version, or hash";

    private static final Pattern COLUMN = Pattern.compile("column\\s+(\\S.*)");

    /**
     * Reads a source.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static EtagSource parse(String text) {
        if (text.strip().equals("hash")) {
            return new EtagSource(Optional.empty());
        }
        Matcher named = COLUMN.matcher(text.strip());
        if (!named.matches()) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return new EtagSource(Optional.of(named.group(1)));
    }

    @Override
    public String toString() {
        return column.map(name -> "column " + name).orElse("hash");
    }
}
