package io.sluice.offload.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Ends a transaction whose work has failed. */
final class FailedTransaction {

    private FailedTransaction() {
    }

    /**
     * Rolls a transaction back, and returns whether its connection can be used again. After an Error, the
     * driver may have sent or read part of a message, so no rollback is tried.
     */
    static boolean isRolledBack(Connection connection, Throwable failure) {
        try {
            if (failure instanceof Error) {
                connection.abort(Runnable::run);
                return false;
            }
            connection.setAutoCommit(false);
            connection.rollback();
            return !isOfNoMoreUse(failure);
        } catch (Throwable e) { // also an Error: otherwise the connection would be reused
            if (e != failure) {
                failure.addSuppressed(e);
            }
            return false;
        }
    }

    /** Decides by SQLSTATE: a connection exception, or PostgreSQL's "terminating connection". */
    private static boolean isOfNoMoreUse(Throwable failure) {
        String state = failure instanceof SQLException sql ? sql.getSQLState() : null;
        return state != null && (state.startsWith("08") || state.startsWith("57P"));
    }
}
