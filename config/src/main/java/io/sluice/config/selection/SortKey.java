package io.sluice.config.selection;

/**
 * A column of a result by which rows are sorted.
 *
 * @param descending whether the largest value comes first
 */
public record SortKey(String column, boolean descending) {
    public static final String EXPECTED = "a column, or \"-\" and a column to descend, such as \"-price\"";

    /**
     * Parses {@code price} or {@code -price}.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static SortKey parse(String text) {
        String name = text.strip();
        boolean descending = name.startsWith("-");
        String column = descending ? name.substring(1).strip() : name;
        if (column.isEmpty()) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return new SortKey(column, descending);
    }

    @Override
    public String toString() {
        return descending ? '-' + column : column;
    }
}
