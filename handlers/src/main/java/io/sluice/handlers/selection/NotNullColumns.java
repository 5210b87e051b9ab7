package io.sluice.handlers.selection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a statement's result that the database declares to be never NULL. It is asked once.
 * Thread-safe.
 */
final class NotNullColumns {
    private final String sql;
    private volatile @Nullable Set<String> names;

    NotNullColumns(String sql) {
        this.sql = sql;
    }

    /**
     * Returns the names. Blocks the first time, for two round trips.
     *
     * @param parameters binds the statement's, since the database need not infer their types
     */
    Set<String> names(Connection connection, Selection.Binder parameters) throws SQLException {
        Set<String> known = names;
        if (known == null) {
            known = ask(connection, parameters);
            names = known;
        }
        return known;
    }

    private Set<String> ask(Connection connection, Selection.Binder parameters) throws SQLException {
        var found = new HashSet<String>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            parameters.bind(statement);
            ResultSetMetaData columns = statement.getMetaData();
            for (int i = 1; columns != null && i <= columns.getColumnCount(); i++) {
                if (columns.isNullable(i) == ResultSetMetaData.columnNoNulls) {
                    found.add(columns.getColumnLabel(i));
                }
            }
        }
        return Set.copyOf(found);
    }

    /** Returns whether the database has been asked. */
    boolean isKnown() {
        return names != null;
    }
}
