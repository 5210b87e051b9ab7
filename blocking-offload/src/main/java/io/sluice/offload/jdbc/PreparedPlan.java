package io.sluice.offload.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * The plan that PostgreSQL keeps for a prepared statement of a connection. It is of no more use when a table
 * has been altered ("cached plan must not change result type"), and gets lost behind some proxies. The driver
 * then prepares the statement again, but not within a transaction, as that has failed.
 */
public final class PreparedPlan {
    private static final String LOST = "26000";
    private static final String NOT_SUPPORTED = "0A000";

    private PreparedPlan() {
    }

    /**
     * Executes a statement, the first of its transaction; once more, in a new one, where its plan was of no
     * use.
     *
     * @return as {@link PreparedStatement#execute}
     */
    public static boolean execute(PreparedStatement statement) throws SQLException {
        try {
            return statement.execute();
        } catch (SQLException e) {
            if (!isOfNoUse(e) || statement.getConnection().getAutoCommit()) {
                throw e;
            }
            statement.getConnection().rollback();
            return statement.execute();
        }
    }

    /** As the driver tells it for its own retries: SQLSTATE 0A000 says a lot of other things, too. */
    private static boolean isOfNoUse(SQLException e) {
        ServerErrorMessage error = e instanceof PSQLException psql ? psql.getServerErrorMessage() : null;
        return error != null && (LOST.equals(error.getSQLState()) || NOT_SUPPORTED.equals(error.getSQLState())
                && String.valueOf(error.getRoutine()).startsWith("RevalidateCached"));
    }
}
