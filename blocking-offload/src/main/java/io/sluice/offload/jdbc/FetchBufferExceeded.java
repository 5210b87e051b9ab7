package io.sluice.offload.jdbc;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The rows that were fetched at a time have more bytes than a connection may hold. */
public final class FetchBufferExceeded extends SQLException {
    private static final long serialVersionUID = 1L;

    FetchBufferExceeded(String database, long bound, @Nullable Throwable cause) {
        super("rows of more than " + bound + " bytes at a time (select less, or raise sluice.databases."
                + database + ".fetch-buffer)", cause);
    }

    /**
     * Returns whether a failure is this one, or the driver's own, to be translated by {@link
     * Database#exceeded}.
     */
    public static boolean is(Throwable failure) {
        return failure instanceof FetchBufferExceeded
                || failure instanceof SQLException sql && PostgresDriver.exceedsResultBuffer(sql);
    }
}
