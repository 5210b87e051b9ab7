package io.sluice.handlers.session;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * The settings of a request's transaction, which they begin: PostgreSQL drops them at its end. In auto-commit
 * mode that may be before the statement after them, even if one call executes both, since the driver decides
 * how many transactions that is. Their values are bound.
 *
 * @param sql sets them; empty for none
 * @param values one for each {@code ?}
 */
public record BoundSettings(String sql, List<String> values) {
    /** No settings. */
    public static final BoundSettings NONE = new BoundSettings("", List.of());

    /** Returns whether there are none. */
    public boolean isEmpty() {
        return values.isEmpty();
    }

    /** Prepares a statement with these before it, which cost no round trip of their own. */
    public PreparedStatement prepare(Connection connection, String statement) throws SQLException {
        if (isEmpty()) {
            return connection.prepareStatement(statement);
        }
        connection.setAutoCommit(false);
        return connection.prepareStatement(sql + ";\n" + statement);
    }

    /**
     * Binds the values in a statement from {@link #prepare}.
     *
     * @return the index of the first parameter of the statement after them
     */
    public int bind(PreparedStatement statement) throws SQLException {
        int index = 1;
        for (String value : values) {
            statement.setString(index++, value);
        }
        return index;
    }

    /**
     * Moves from the result of the settings to that of the statement.
     *
     * @param isRows whether the first result has rows
     * @return whether the result has rows
     */
    public boolean skip(PreparedStatement statement, boolean isRows) throws SQLException {
        return isEmpty() ? isRows : statement.getMoreResults();
    }

    /** Sets them for several statements, by a round trip of their own. Blocks. */
    public void apply(Connection connection) throws SQLException {
        if (!isEmpty()) {
            connection.setAutoCommit(false);
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                bind(statement);
                statement.execute();
            }
        }
    }
}
