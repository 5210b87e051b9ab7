package io.sluice.offload.jdbc;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.BooleanSupplier;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Handles invalid plans of PostgreSQL's prepared statements. A plan becomes invalid when a table is altered
 * ("cached plan must not change result type"), and gets lost behind some proxies. The driver then prepares
 * the statement again, but not within a transaction, since that has failed.
 */
public final class PreparedPlan {
    private static final String LOST = "26000";
    private static final String NOT_SUPPORTED = "0A000";

    private PreparedPlan() {
    }

    /** All statements of a transaction, or one in auto-commit mode. */
    @FunctionalInterface
    public interface Statements {
        /** Executes them. Blocks. */
        void run() throws SQLException, IOException;
    }

    /**
     * Runs a transaction. If the plan of one of its statements is invalid, rolls it back and runs it once
     * more, from its beginning: settings of the transaction end with it. Blocks.
     *
     * @param undo drops what the first run has written; returns false if a part of it has been sent
     */
    public static void run(Connection connection, BooleanSupplier undo, Statements transaction)
            throws SQLException, IOException {
        try {
            transaction.run();
        } catch (SQLException e) {
            if (!isInvalid(e) || !undo.getAsBoolean()) {
                throw e;
            }
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            transaction.run();
        }
    }

    /** The condition is that of the driver's own retries, as SQLSTATE 0A000 has many other meanings. */
    private static boolean isInvalid(SQLException e) {
        ServerErrorMessage error = e instanceof PSQLException psql ? psql.getServerErrorMessage() : null;
        return error != null && (LOST.equals(error.getSQLState()) || NOT_SUPPORTED.equals(error.getSQLState())
                && String.valueOf(error.getRoutine()).startsWith("RevalidateCached"));
    }
}
