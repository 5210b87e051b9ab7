package io.sluice.offload.jdbc;

import io.sluice.offload.jdbc.StatementCheck.Mistake;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The result that a statement must have.
 *
 * @param columns columns that the configuration names
 * @param value null for any number of columns
 */
public record ExpectedResult(List<Column> columns, @Nullable Value value) {
    /** Any result, or none. */
    public static final ExpectedResult ANY = new ExpectedResult(List.of(), null);

    /**
     * A column that the configuration names.
     *
     * @param key the key that names it; null for that of the statement
     * @param exact whether the case of letters matters
     */
    public record Column(@Nullable String key, String name, boolean exact) {
    }

    /**
     * A result of one column, whose value is the whole response.
     *
     * @param key the key that demands it
     * @param beside the name of a column that is no part of the response; null for none
     */
    public record Value(String key, @Nullable String beside) {
    }

    /**
     * Returns the mistakes of a result.
     *
     * @param result null, or without columns, for none
     * @param isKnown whether there is certainly none then
     */
    List<Mistake> mistakes(@Nullable ResultSetMetaData result, boolean isKnown) throws SQLException {
        var names = new ArrayList<String>();
        for (int i = 1; result != null && i <= result.getColumnCount(); i++) {
            names.add(result.getColumnLabel(i));
        }
        if (names.isEmpty() && !isKnown) {
            return List.of();
        }
        var mistakes = new ArrayList<Mistake>(duplicates(names));
        columns.stream().filter(column -> names.stream().noneMatch(name -> column.exact()
                ? name.equals(column.name()) : name.equalsIgnoreCase(column.name())))
                .map(column -> missing(column, names)).forEach(mistakes::add);
        if (value != null) {
            long count = names.stream().filter(name -> !name.equals(value.beside())).count();
            if (count != 1) {
                mistakes.add(new Mistake(value.key(), 1, (names.isEmpty() ? "no result"
                        : "the result has " + count + " columns") + " (expected: one column)"));
            }
        }
        return mistakes;
    }

    private static Mistake missing(Column column, List<String> names) {
        return new Mistake(column.key(), 1, names.isEmpty()
                ? "no result (expected: one with a column " + column.name() + ", as by RETURNING)"
                : "no column " + column.name() + " (expected: one of " + String.join(", ", names) + ')');
    }

    /** The result would have two members of one name. */
    private static List<Mistake> duplicates(List<String> names) {
        Set<String> once = new HashSet<>();
        return names.stream().filter(name -> !once.add(name)).map(name -> new Mistake(1,
                "two columns are called %1$s (expected: a name for each: %1$s AS other)".formatted(name)))
                .toList();
    }
}
