package io.sluice.offload.source;

import java.sql.SQLException;

/** Tells operators what to do about failures of PostgreSQL that do not end by themselves. */
final class Remedy {

    private Remedy() {
    }

    /** Returns a text to put behind the message of a failure; empty if it may end by itself. */
    static String of(SQLException failure) {
        return switch (String.valueOf(failure.getSQLState())) {
            case "42703", "42883" -> " (the table needs the columns and types of sluice-outbox.sql)";
            case "42501" -> " (an outbox needs SELECT and DELETE on its table; a slot, REPLICATION)";
            case "42704" -> " (create the publication and the slot, see reference.conf at source-defaults)";
            case "55000" -> " (replication needs wal_level = logical, and a slot of this database, not lost)";
            default -> "";
        };
    }
}
