package io.sluice.offload.source;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.topic.SourceConfig;
import io.sluice.offload.jdbc.DatabaseLogin;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.replication.LogSequenceNumber;
import org.postgresql.replication.PGReplicationStream;

/**
 * The connections of a reader to its slot: one that reads the state of the slot, and one with the stream of
 * changes. Confined to the thread of the source, except for {@link #abort}.
 */
final class SlotConnections {
    private static final Map<String, String> STATE_PARAMETERS = Map.of("ApplicationName", "sluice-slot");
    private static final Map<String, String> STREAM_PARAMETERS = Map.of("ApplicationName", "sluice-stream",
            "replication", "database", "preferQueryMode", "simple", "assumeMinServerVersion", "9.4",
            "maxResultBuffer", "", "tcpKeepAlive", "true");
    /** The formats of values, whatever those of the role or the database are. */
    private static final List<String> FORMATS =
            List.of("TIME ZONE 'UTC'", "bytea_output = 'hex'", "intervalstyle = 'postgres'");
    private static final String IN_USE = "55006";
    /** The longest silence in the middle of an answer. */
    private static final int SILENCE_MILLIS = 30_000;
    private static final String SELECT_STATE = """
            SELECT pg_is_in_recovery(), slot_name IS NOT NULL, active, CASE WHEN NOT pg_is_in_recovery()
              THEN pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::bigint END
            FROM (VALUES (?)) AS own (name) LEFT JOIN pg_replication_slots ON slot_name = name""";

    private final SourceConfig config;
    private final DatabaseLogin login;
    private final StopSignal stop;
    private volatile @Nullable Connection stateReader;
    private volatile @Nullable Connection streamConnection;
    private @Nullable PGReplicationStream stream;
    private String timeline = "";

    /**
     * The state of the slot.
     *
     * @param active whether a node uses it
     * @param lagBytes the log that it keeps
     */
    record Slot(boolean active, long lagBytes) {
    }

    SlotConnections(SourceConfig config, DatabaseConfig database, StopSignal stop) {
        this.config = config;
        this.stop = stop;
        login = new DatabaseLogin(database, "sluice-slot");
    }

    /** Returns the state of the slot. Connects if that is not done. */
    Slot slot() throws SQLException, SourceException {
        Connection used = stateReader;
        if (used == null) {
            used = open(STATE_PARAMETERS);
            stateReader = used;
        }
        try (PreparedStatement statement = used.prepareStatement(SELECT_STATE)) {
            statement.setString(1, config.slot().orElseThrow().text());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                if (row.getBoolean(1)) {
                    throw Remedy.standby();
                }
                if (!row.getBoolean(2)) {
                    throw new SourceException(("there is no such slot (SELECT "
                            + "pg_create_logical_replication_slot('%s', 'pgoutput'))")
                            .formatted(config.slot().orElseThrow()), null);
                }
                return new Slot(row.getBoolean(3), row.getLong(4));
            }
        }
    }

    private Connection open(Map<String, String> parameters) throws SQLException {
        Connection opened = login.open(parameters);
        opened.setNetworkTimeout(Runnable::run, SILENCE_MILLIS);
        if (stop.isGiven()) {
            opened.close(); // this may have been too late for an abort
            throw new SQLException("the source stops");
        }
        return opened;
    }

    boolean isStarted() {
        return stream != null;
    }

    /** Starts the stream of changes; returns false if another node uses the slot. */
    boolean start() throws SQLException {
        Connection opened = open(STREAM_PARAMETERS);
        streamConnection = opened;
        try (Statement statement = opened.createStatement()) {
            for (String format : FORMATS) {
                statement.execute("SET " + format);
            }
            try (ResultSet row = statement.executeQuery("IDENTIFY_SYSTEM")) {
                row.next();
                timeline = row.getString(1) + '/' + row.getString(2);
            }
        }
        try {
            stream = opened.unwrap(PGConnection.class).getReplicationAPI().replicationStream().logical()
                    .withSlotName(config.slot().orElseThrow().text())
                    .withSlotOption("proto_version", 1)
                    .withSlotOption("publication_names", config.publication().orElseThrow().quoted())
                    .withStatusInterval(1, TimeUnit.SECONDS)
                    // The driver would confirm what is still on its way, where transactions overlap.
                    .withAutomaticFlush(false)
                    .start();
        } catch (SQLException e) {
            closeStream();
            if (IN_USE.equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
        return true;
    }

    /** Returns the cluster and timeline of the stream. */
    String timeline() {
        return timeline;
    }

    /** Returns the next message; null if none has arrived. */
    @Nullable ByteBuffer readPending() throws SQLException {
        long before = System.nanoTime();
        ByteBuffer message = stream().readPending();
        // The driver hides a timeout in the middle of a message, and would go on there.
        if (System.nanoTime() - before > TimeUnit.MILLISECONDS.toNanos(SILENCE_MILLIS)) {
            throw new SQLException("the database did not send the rest of a message within %d ms"
                    .formatted(SILENCE_MILLIS));
        }
        return message;
    }

    /** Returns the position up to which all transactions have arrived, if no one is on its way. */
    LogSequenceNumber received() {
        return stream().getLastReceiveLSN();
    }

    /** Confirms all transactions up to a position; the database learns it within a second. */
    void confirm(LogSequenceNumber position) {
        stream().setAppliedLSN(position);
        stream().setFlushedLSN(position);
    }

    /** Sends the confirmed position to the database at once. */
    void confirmNow() throws SQLException {
        stream().forceUpdateStatus();
    }

    private PGReplicationStream stream() {
        return Objects.requireNonNull(stream, "not started");
    }

    /** Closes the connections, not the stream itself, whose end the database sends after all changes. */
    void close() {
        closeStream();
        close(stateReader);
        stateReader = null;
    }

    private void closeStream() {
        stream = null;
        close(streamConnection);
        streamConnection = null;
    }

    private static void close(@Nullable Connection connection) {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            // The connection is broken already.
        }
    }

    /** Breaks the connections. Any thread. */
    void abort() {
        abort(stateReader);
        abort(streamConnection);
    }

    private static void abort(@Nullable Connection connection) {
        try {
            if (connection != null) {
                connection.abort(Runnable::run);
            }
        } catch (SQLException e) {
            // The connection is broken already.
        }
    }
}
