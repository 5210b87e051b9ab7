package io.sluice.offload.jdbc;

import java.sql.SQLException;

/** Rows that were fetched at a time took more bytes than a connection may hold. */
public final class FetchBufferExceeded extends SQLException {
    private static final long serialVersionUID = 1L;

    FetchBufferExceeded(String database, long bound, Throwable cause) {
        super("rows of more than " + bound + " bytes at a time (select less, or raise sluice.databases."
                + database + ".fetch-buffer)", cause);
    }

    /**
     * Whether a failure is this, or will be when it has been told which database it is of. The SQLSTATE that
     * PostgreSQL's driver gives it stands for broken connections, too.
     */
    public static boolean is(Throwable failure) {
        return failure instanceof FetchBufferExceeded || failure instanceof SQLException
                && failure.getMessage() != null && failure.getMessage().contains("maxResultBuffer");
    }
}
