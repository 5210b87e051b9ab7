package io.sluice.handlers.selection;

import io.sluice.config.selection.FilterOperator;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.Mistake;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A column that is compared with values of the client.
 *
 * @param name the name of the parameter that has the values
 */
record Condition(String name, String column, FilterOperator operator, List<String> values) {

    /** Returns the condition in SQL, with a {@code ?} for each of {@link #bound()}. */
    String sql(Dialect dialect) {
        String left = dialect.quoted(column) + ' ' + operator.sql();
        return operator != FilterOperator.IN ? left + " ?"
                : left + " (" + String.join(", ", Collections.nCopies(slots(), "?")) + ')';
    }

    /** Returns the values to bind; the last of several is repeated. */
    List<String> bound() {
        if (operator != FilterOperator.IN) {
            return values;
        }
        var bound = new ArrayList<>(values);
        bound.addAll(Collections.nCopies(slots() - values.size(), values.getLast()));
        return bound;
    }

    /** Adds the mistakes of values that are none of the column's type; no more than a response tells. */
    void addMistakes(@Nullable ColumnType type, List<Mistake> to) {
        for (String value : values) {
            if (to.size() > HttpException.MAX_MISTAKES) {
                return; // each costs an exception
            }
            String expected = operator == FilterOperator.LIKE ? expectedPattern(value)
                    : type == null ? null : type.expectedInPlaceOf(value);
            if (expected != null) {
                to.add(Mistake.ofParameter(name, Mistake.unexpected(value, expected)));
            }
        }
    }

    /** A last backslash would escape nothing, which PostgreSQL refuses if a row matches up to there. */
    private static @Nullable String expectedPattern(String value) {
        int end = value.length();
        while (end > 0 && value.charAt(end - 1) == '\\') {
            end--;
        }
        return (value.length() - end) % 2 == 0 ? null : "a pattern whose last \\ is doubled";
    }

    /** Powers of two, so that the database prepares few statements. */
    private int slots() {
        return Math.max(1, Integer.highestOneBit(2 * values.size() - 1));
    }
}
