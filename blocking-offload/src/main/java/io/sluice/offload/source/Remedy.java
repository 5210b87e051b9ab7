package io.sluice.offload.source;

import java.sql.SQLException;

/** Tells operators what to do about failures of PostgreSQL that do not end by themselves. */
final class Remedy {
    /** The state of failures on a standby, which end if another connection leads to the primary. */
    private static final String READ_ONLY = "25006";

    private Remedy() {
    }

    /** Returns the failure of a connection that leads to a standby. */
    static SQLException standby() {
        return new SQLException("a standby has what was not deleted or confirmed yet on the primary "
                + "(targetServerType=primary in the url of the database)", READ_ONLY);
    }

    /** Returns a text to put behind the message of a failure; empty if it may end by itself. */
    static String of(SQLException failure) {
        return switch (String.valueOf(failure.getSQLState())) {
            case "42703", "42883" -> " (the table needs the columns and types of sluice-outbox.sql)";
            case "42501" -> " (an outbox needs SELECT and DELETE on its table; a slot, REPLICATION)";
            case "42704" -> " (create the publication, then the slot, again if it is older: it reads changes "
                    + "with the catalog of their time)";
            case "55000" -> " (replication needs wal_level = logical, and a slot of this database, not lost)";
            default -> "";
        };
    }
}
