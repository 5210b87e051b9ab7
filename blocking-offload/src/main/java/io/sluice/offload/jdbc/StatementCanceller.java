package io.sluice.offload.jdbc;

import io.sluice.offload.WorkScope;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Cancels a statement when its task is cancelled. A single cancel request is lost if it reaches the database
 * before the query, so it is repeated until the statement has ended. The driver's query timeout, which is in
 * whole seconds, is a second safeguard; not with PostgreSQL, whose driver has one timer for all connections,
 * nor with H2, where it is that of the session.
 */
public final class StatementCanceller implements AutoCloseable {
    /** SQLSTATE query_canceled. */
    private static final String CANCELLED = "57014";

    /** The class of H2's statements; null without its driver. */
    private static final @Nullable Class<?> H2 = classOfH2();

    private static final int AGAIN_AFTER_MILLIS = 100;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Statement statement;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final WorkScope.Registration registration;
    private volatile boolean cancelled;
    /** Indicates a cancel request that PostgreSQL's driver has given up: it may reach the server later. */
    private volatile boolean underWay;

    private static @Nullable Class<?> classOfH2() {
        try {
            return Class.forName("org.h2.jdbc.JdbcStatement", false,
                    StatementCanceller.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    /**
     * Cancels the statement from now on if its task is cancelled, until this is closed.
     *
     * @throws SQLException if the driver rejects a query timeout
     */
    public StatementCanceller(Statement statement, WorkScope scope) throws SQLException {
        this.statement = statement;
        if (!PostgresDriver.runs(statement) && (H2 == null || !statement.isWrapperFor(H2))) {
            // One second more, or it would be as early as a deadline in whole seconds.
            long seconds = Math.ceilDiv(scope.deadline().remainingNanos(), SECOND) + 1;
            statement.setQueryTimeout(Math.clamp(seconds, 1, Integer.MAX_VALUE));
        }
        registration = scope.onCancel(this::cancelUntilEnded);
    }

    private void cancelUntilEnded() {
        cancelled = true;
        try {
            while (ended.getCount() > 0) {
                cancel();
                ended.await(AGAIN_AFTER_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void cancel() {
        try {
            Connection connection = statement.getConnection();
            if (connection.isWrapperFor(PGConnection.class)) {
                // The driver's Statement.cancel does nothing while a result fetches its next rows.
                long begin = System.nanoTime();
                connection.unwrap(PGConnection.class).cancelQuery();
                underWay |= System.nanoTime() - begin >= DatabaseLogin.CANCEL_WAIT.toNanos();
            } else {
                // If this fails, HikariCP's statement marks its connection as closed, and no longer aborts.
                statement.unwrap(Statement.class).cancel();
            }
        } catch (SQLException e) {
            // The next round tries again; the connection may be about to break.
        }
    }

    /**
     * Must be called when the statement has ended. Waits for a cancel request in flight, which could hit the
     * next statement. Breaks the connection if the server has not taken the request in time.
     *
     * @throws SQLException if the statement was cancelled, even if it completed: changes of which the client
     *     does not learn must be rolled back. H2 also keeps the cancellation with its cached statement, and
     *     cancels its next execution, unless there is a rollback
     */
    @Override
    public void close() throws SQLException {
        ended.countDown();
        registration.close();
        if (underWay) {
            statement.getConnection().abort(Runnable::run);
        }
        if (cancelled) {
            throw new SQLException("cancelled", CANCELLED);
        }
    }
}
