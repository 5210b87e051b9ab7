package io.sluice.handlers.session;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * The settings of a request's transaction. PostgreSQL's driver sends them and the statement behind them at
 * once: one round trip, and one transaction also in auto-commit mode, since the server ends it behind the
 * last statement that was sent. Their values are bound.
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

    /** Returns a statement with these before it. */
    public String before(String statement) {
        return isEmpty() ? statement : sql + ";\n" + statement;
    }

    /**
     * Binds the values in a statement from {@link #before}.
     *
     * @return the index of the first parameter of the statement behind them
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

    /** Sets them for several statements of a transaction, by a round trip of their own. Blocks. */
    public void apply(Connection transaction) throws SQLException {
        if (!isEmpty()) {
            try (PreparedStatement statement = transaction.prepareStatement(sql)) {
                bind(statement);
                statement.execute();
            }
        }
    }
}
