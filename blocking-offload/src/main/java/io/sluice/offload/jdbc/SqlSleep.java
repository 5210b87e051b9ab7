package io.sluice.offload.jdbc;

import java.sql.SQLException;
import java.util.concurrent.TimeUnit;

/**
 * A function for databases in this process that cannot sleep by themselves:
 * {@code CREATE ALIAS sleep FOR 'io.sluice.offload.jdbc.SqlSleep.sleep'} in H2. H2 looks whether a
 * statement was cancelled between its rows, never inside a function; so this one looks itself.
 */
public final class SqlSleep {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    /** What timers were late by the last times, smoothed, in nanoseconds; at most a millisecond. */
    private static volatile long timersAreLateBy;

    private SqlSleep() {
    }

    /**
     * Sleeps for so long on average: what timers are late by is taken off, so that experiments measure the
     * gateway and not them. Ends with an exception when the statement that calls it is cancelled.
     */
    public static void sleep(long millis) throws SQLException, InterruptedException {
        StatementCanceller statement = StatementCanceller.current();
        if (statement == null) {
            Thread.sleep(millis); // SQL's sleep, in a statement that nobody can cancel
            return;
        }
        long lateBy = timersAreLateBy;
        long nanos = Math.max(0, TimeUnit.MILLISECONDS.toNanos(millis) - lateBy);
        long start = System.nanoTime();
        if (statement.awaitCancel(nanos)) {
            throw new SQLException("cancelled in its sleep", StatementCanceller.CANCELLED);
        }
        long late = Math.min(System.nanoTime() - start - nanos, MILLI);
        timersAreLateBy = lateBy + (late - lateBy) / 16;
    }
}
