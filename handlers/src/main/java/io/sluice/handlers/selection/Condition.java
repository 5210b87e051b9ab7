package io.sluice.handlers.selection;

import io.sluice.config.selection.FilterOperator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A column that is compared with values of the client. */
record Condition(String column, FilterOperator operator, List<String> values) {

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

    /** Powers of two, so that the database prepares few statements. */
    private int slots() {
        return Math.max(1, Integer.highestOneBit(2 * values.size() - 1));
    }
}
