package io.sluice.handlers.selection;

import io.sluice.config.selection.SortKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The condition for rows after another one in an order.
 *
 * @param notNull the columns that are never NULL: their conditions find rows by an index
 * @param row the values of the other row, one for each key
 */
record KeySet(List<SortKey> order, Set<String> notNull, List<? extends @Nullable Object> row,
              Dialect dialect) {

    /**
     * Returns the condition, with a {@code ?} for each of {@link #bound}: {@code (a, b) > (?, ?)}, or, if
     * directions differ or the database finds no index for that,
     * {@code a >= ? AND (a > ? OR (a = ? AND b > ?))}.
     */
    String sql() {
        if (isOneComparison()) {
            String columns = order.stream().map(this::column).collect(Collectors.joining(", "));
            return '(' + columns + ')' + operator(order.getFirst())
                    + '(' + String.join(", ", Collections.nCopies(order.size(), "?")) + ')';
        }
        SortKey first = order.getFirst();
        return hasRange() ? column(first) + operator(first).stripTrailing() + "= ? AND " + from(0) : from(0);
    }

    /** Returns whether no NULL is after the row: a comparison with NULL is not true. */
    private boolean isOneComparison() {
        return dialect.postgres() && order.stream().map(SortKey::descending).distinct().count() == 1
                && row.stream().allMatch(Objects::nonNull) && order.stream().noneMatch(this::nullIsBehind);
    }

    /** Returns whether the following rows have a range of the first column. */
    private boolean hasRange() {
        return row.getFirst() != null && !nullIsBehind(order.getFirst());
    }

    /** Returns whether rows with NULL come after those with a value. */
    private boolean nullIsBehind(SortKey key) {
        return !notNull.contains(key.column()) && dialect.nullIsLargest() != key.descending();
    }

    private String from(int index) {
        SortKey key = order.get(index);
        boolean last = index == order.size() - 1;
        String column = column(key);
        if (row.get(index) != null) {
            String behind = column + operator(key) + '?' + (nullIsBehind(key) ? orNull(column) : "");
            return last ? parenthesized(key, behind)
                    : '(' + behind + " OR (" + column + " = ? AND " + from(index + 1) + "))";
        }
        if (nullIsBehind(key)) {
            return last ? "1 = 0" : '(' + column + " IS NULL AND " + from(index + 1) + ')';
        }
        return last ? column + " IS NOT NULL" : '(' + column + " IS NOT NULL OR " + from(index + 1) + ')';
    }

    private String parenthesized(SortKey key, String behind) {
        return nullIsBehind(key) ? '(' + behind + ')' : behind;
    }

    private static String orNull(String column) {
        return " OR " + column + " IS NULL";
    }

    private String column(SortKey key) {
        return dialect.quoted(key.column());
    }

    private static String operator(SortKey key) {
        return key.descending() ? " < " : " > ";
    }

    /** Returns the values to bind. */
    List<Object> bound() {
        List<Object> values = row.stream().filter(Objects::nonNull).<Object>map(Objects::requireNonNull)
                .toList();
        if (isOneComparison()) {
            return values;
        }
        var bound = new ArrayList<Object>();
        if (hasRange()) {
            bound.add(values.getFirst());
        }
        for (int i = 0; i < row.size(); i++) {
            Object value = row.get(i);
            if (value != null) {
                bound.addAll(Collections.nCopies(i == row.size() - 1 ? 1 : 2, value));
            }
        }
        return bound;
    }
}
