package io.sluice.handlers.selection;

import io.sluice.handlers.rows.Nullability;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The columns of a statement's result as the database declares them. It is asked once. Thread-safe. */
final class ResultColumns {
    private final String sql;
    private volatile @Nullable Declared declared;

    ResultColumns(String sql) {
        this.sql = sql;
    }

    /**
     * The declaration of the columns, by their names.
     *
     * @param notNull the columns that are never NULL
     */
    record Declared(Set<String> notNull, Map<String, ColumnType> types) {
    }

    /**
     * Returns the declaration. Blocks the first time, for two round trips.
     *
     * @param parameters binds the statement's, since the database need not infer their types
     */
    Declared ask(Connection connection, Selection.Binder parameters) throws SQLException {
        Declared known = declared;
        if (known == null) {
            known = declared(connection, parameters);
            declared = known;
        }
        return known;
    }

    private Declared declared(Connection connection, Selection.Binder parameters) throws SQLException {
        var notNull = new HashSet<String>();
        var types = new HashMap<String, ColumnType>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            parameters.bind(statement);
            ResultSetMetaData columns = statement.getMetaData();
            for (int i = 1; columns != null && i <= columns.getColumnCount(); i++) {
                String name = columns.getColumnLabel(i);
                types.put(name, new ColumnType(columns.getColumnType(i), columns.getColumnTypeName(i)));
                if (Nullability.isNotNull(columns, i, sql)) {
                    notNull.add(name);
                }
            }
        }
        return new Declared(Set.copyOf(notNull), Map.copyOf(types));
    }

    /** Returns the declaration; null if the database has not been asked. */
    @Nullable Declared known() {
        return declared;
    }
}
