package io.sluice.gateway.offload;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The running statements of a database, observed over a connection of the test. */
final class Statements implements AutoCloseable {
    private static final String ON_POSTGRES = """
            SELECT count(*) FROM pg_stat_activity
            WHERE pid <> pg_backend_pid() AND state <> 'idle' AND query LIKE ?""";
    private static final String STALLED_ON_POSTGRES = """
            SELECT count(*) FROM pg_stat_activity
            WHERE pid <> pg_backend_pid() AND state = 'idle in transaction' AND query LIKE ?""";
    private static final String ON_H2 = """
            SELECT count(*) FROM INFORMATION_SCHEMA.SESSIONS
            WHERE SESSION_ID <> SESSION_ID() AND EXECUTING_STATEMENT LIKE ?""";

    private final Connection connection;
    private final boolean postgres;

    Statements(String url, String user, String password) throws SQLException {
        connection = DriverManager.getConnection(url, user, password);
        postgres = url.startsWith("jdbc:postgresql:");
    }

    /**
     * Returns the number of other sessions' unfinished statements with this beginning, which run or wait for
     * a fetch.
     */
    int running(String beginning) {
        return count(postgres ? ON_POSTGRES : ON_H2, beginning + '%');
    }

    /** Returns the number of statements with this beginning that wait for the next fetch. */
    int stalled(String beginning) {
        return count(STALLED_ON_POSTGRES, beginning + '%');
    }

    int count(String sql, String... values) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void change(String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.execute();
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
