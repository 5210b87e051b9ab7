package io.sluice.offload.jdbc;

import java.sql.SQLException;
import java.util.Map;

/** The SQLSTATE of an error, in place of a general one of MariaDB where its number tells more. */
public final class SqlState {
    /** A row that has changed since the snapshot, a lock timeout, a value that would be truncated. */
    private static final Map<String, String> BY_NUMBER =
            Map.of("HY000 1020", "40001", "HY000 1205", "HYT00", "01000 1265", "22000");

    private SqlState() {
    }

    /** Returns the SQLSTATE; the text {@code null} if the error has none. */
    public static String of(SQLException error) {
        String state = String.valueOf(error.getSQLState());
        return BY_NUMBER.getOrDefault(state + ' ' + error.getErrorCode(), state);
    }
}
