package io.sluice.handlers.selection;

import io.sluice.config.selection.SortKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** The condition for rows behind another one in an order. */
record KeySet(List<SortKey> order, Dialect dialect) {

    /**
     * Returns the condition, with a {@code ?} for each of {@link #bound}: {@code (a, b) > (?, ?)}, or, where
     * directions differ or the database finds no index for that,
     * {@code a >= ? AND (a > ? OR (a = ? AND b > ?))}.
     */
    String sql() {
        if (isOneComparison()) {
            String columns = order.stream().map(key -> dialect.quoted(key.column()))
                    .collect(Collectors.joining(", "));
            return '(' + columns + ')' + operator(order.getFirst())
                    + '(' + String.join(", ", Collections.nCopies(order.size(), "?")) + ')';
        }
        SortKey first = order.getFirst();
        return dialect.quoted(first.column()) + operator(first).stripTrailing() + "= ? AND " + from(0);
    }

    private boolean isOneComparison() {
        return dialect.postgres() && order.stream().map(SortKey::descending).distinct().count() == 1;
    }

    private String from(int index) {
        SortKey key = order.get(index);
        String column = dialect.quoted(key.column());
        String behind = column + operator(key) + '?';
        return index == order.size() - 1 ? behind
                : '(' + behind + " OR (" + column + " = ? AND " + from(index + 1) + "))";
    }

    private static String operator(SortKey key) {
        return key.descending() ? " < " : " > ";
    }

    /** Returns the values to bind, of those of the other row. */
    List<String> bound(List<String> values) {
        if (isOneComparison()) {
            return values;
        }
        var bound = new ArrayList<String>();
        bound.add(values.getFirst());
        for (String value : values.subList(0, values.size() - 1)) {
            bound.add(value);
            bound.add(value);
        }
        bound.add(values.getLast());
        return bound;
    }
}
