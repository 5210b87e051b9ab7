package io.sluice.offload.jdbc;

import io.sluice.offload.WorkScope;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.postgresql.PGConnection;

/**
 * Ends a statement for which nobody waits any more. One cancel is not enough: it is lost where it comes
 * before the query has reached the database, so it is repeated until the statement has ended. A driver's
 * own query timeout, which counts in seconds, stands behind it.
 */
public final class StatementCanceller implements AutoCloseable {
    /** The SQLSTATE for it. */
    private static final String CANCELLED = "57014";

    private static final int AGAIN_AFTER_MILLIS = 100;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Statement statement;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final WorkScope.Registration registration;
    private volatile boolean cancelled;

    /**
     * Cancels from now on, until closed.
     *
     * @throws SQLException where the driver does not take a timeout
     */
    public StatementCanceller(Statement statement, WorkScope scope) throws SQLException {
        this.statement = statement;
        // One more, or it would be as early as the deadline where that is in whole seconds.
        long seconds = Math.ceilDiv(scope.deadline().remainingNanos(), SECOND) + 1;
        statement.setQueryTimeout(Math.clamp(seconds, 1, Integer.MAX_VALUE));
        registration = scope.onCancel(this::cancelUntilEnded);
    }

    private void cancelUntilEnded() {
        cancelled = true;
        try {
            do {
                cancel();
            } while (!ended.await(AGAIN_AFTER_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void cancel() {
        try {
            Connection connection = statement.getConnection();
            if (connection.isWrapperFor(PGConnection.class)) {
                // The driver's Statement.cancel does nothing while a result fetches its next rows.
                connection.unwrap(PGConnection.class).cancelQuery();
            } else {
                statement.cancel();
            }
        } catch (SQLException e) {
            // The next round tries again; it may be that the connection is just breaking.
        }
    }

    /**
     * To be called when the statement has ended; returns when no cancel is on its way that could hit the
     * next one.
     *
     * @throws SQLException where it was cancelled, even if it did not notice: what the client was never told
     *     of is not to be committed; and H2 remembers with a statement in its cache that it was cancelled,
     *     and cancels whoever uses it next, unless there is a rollback
     */
    @Override
    public void close() throws SQLException {
        ended.countDown();
        registration.close();
        if (cancelled) {
            throw new SQLException("cancelled", CANCELLED);
        }
    }
}
