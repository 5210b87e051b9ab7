package io.sluice.offload.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Handles invalid plans of PostgreSQL's prepared statements. A plan becomes invalid when a table is altered
 * ("cached plan must not change result type"), and gets lost behind some proxies. The driver then prepares
 * the statement again, but not within a transaction, since that has failed, nor several statements at once.
 */
public final class PreparedPlan {
    private static final String LOST = "26000";
    private static final String NOT_SUPPORTED = "0A000";

    private PreparedPlan() {
    }

    /**
     * Executes a statement, the first of its transaction. If its plan is invalid, executes it once more in a
     * new transaction. Blocks.
     *
     * @return as {@link PreparedStatement#execute}
     */
    public static boolean execute(PreparedStatement statement) throws SQLException {
        try {
            return statement.execute();
        } catch (SQLException e) {
            if (!isInvalid(e)) {
                throw e;
            }
            if (!statement.getConnection().getAutoCommit()) {
                statement.getConnection().rollback();
            }
            return statement.execute();
        }
    }

    /**
     * Returns whether a statement has failed because of its plan alone, so that its transaction can be run
     * once more. The condition is that of the driver's own retries, as SQLSTATE 0A000 has many other
     * meanings.
     */
    public static boolean isInvalid(SQLException e) {
        ServerErrorMessage error = e instanceof PSQLException psql ? psql.getServerErrorMessage() : null;
        return error != null && (LOST.equals(error.getSQLState()) || NOT_SUPPORTED.equals(error.getSQLState())
                && String.valueOf(error.getRoutine()).startsWith("RevalidateCached"));
    }
}
