package io.sluice.offload;

import java.sql.SQLException;

/**
 * A function for databases in this process that cannot sleep by themselves:
 * {@code CREATE ALIAS sleep FOR 'io.sluice.offload.SqlSleep.sleep'} in H2. H2 looks whether a
 * statement was cancelled between its rows, never inside a function; so this one looks itself.
 */
public final class SqlSleep {
    private SqlSleep() {
    }

    /** Sleeps; ends with an exception when the statement that calls it is cancelled. */
    public static void sleep(long millis) throws SQLException, InterruptedException {
        if (StatementCanceller.sleep(millis)) {
            throw new SQLException("cancelled in its sleep", StatementCanceller.CANCELLED);
        }
    }
}
