package io.sluice.offload.source;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.topic.SourceConfig;
import io.sluice.config.type.TableName;
import io.sluice.offload.jdbc.DatabaseLogin;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Reads an outbox table. A batch is one transaction: lock the outbox, select rows, hand them over, wait until
 * the sink has them, delete them, commit. A failure in between rolls back, so that rows are read again.
 */
final class OutboxReader implements MessageReader {
    /** The longest wait for rows whose transactions did not notify: others did within the same 0.1 s. */
    private static final long TICK_MILLIS = 100;
    /** The interval at which a wait for a notification checks the stop signal. */
    private static final int CHECK_MILLIS = 200;
    /** No names for statements, for PgBouncer. No bound of the driver: SQL bounds the size of a batch. */
    private static final Map<String, String> PARAMETERS = Map.of("ApplicationName", "sluice-outbox",
            "prepareThreshold", "0", "maxResultBuffer", "", "tcpKeepAlive", "true");

    private final SourceConfig config;
    private final DatabaseLogin login;
    private final TableName table;
    private final OutboxStatements statements;
    private final HandOver<String> handOver;
    private final StopSignal stop;
    private final SourceCounts counts;
    /** The keys of rows that the sink has taken, and whose deletion was not committed. */
    private final Map<String, Boolean> taken;
    private volatile @Nullable Connection connection;

    OutboxReader(SourceConfig config, DatabaseConfig database, MessageSink sink, StopSignal stop,
                 SourceCounts counts) {
        this.config = config;
        this.stop = stop;
        this.counts = counts;
        login = new DatabaseLogin(database, "sluice-outbox");
        table = config.outbox().orElseThrow();
        statements = new OutboxStatements(config, table);
        handOver = new HandOver<>(sink, config.deadline(), stop);
        taken = lastOnes(4 * config.batchRows());
    }

    /** Returns a map that keeps so many entries: rows may have been deleted by others. */
    private static Map<String, Boolean> lastOnes(int number) {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                return size() > number;
            }
        };
    }

    @Override
    public void read() throws SQLException, SourceException, InterruptedException {
        Connection used = connection;
        if (used == null) {
            used = connect();
        }
        long poll = config.pollInterval().toMillis();
        switch (takeBatch(used)) {
            case FULL -> { }
            case PART -> pause(used, Math.min(poll, TICK_MILLIS));
            case EMPTY, LOCKED -> pause(used, poll);
        }
    }

    private Connection connect() throws SQLException {
        Connection opened = login.open(PARAMETERS);
        connection = opened;
        if (stop.isGiven()) {
            disconnect(); // this may have been too late for an abort
            throw new SQLException("the source stops");
        }
        opened.setNetworkTimeout(Runnable::run, OutboxStatements.TIMEOUT_MILLIS + 5_000);
        if (config.listen()) {
            try (Statement listen = opened.createStatement()) {
                listen.execute("LISTEN " + table.name().quoted());
            }
        }
        opened.setAutoCommit(false);
        return opened;
    }

    /** The result of a read of the outbox. */
    private enum Found { LOCKED, EMPTY, PART, FULL }

    private Found takeBatch(Connection used) throws SQLException, SourceException, InterruptedException {
        boolean done = false;
        try {
            Found found = take(used);
            done = true;
            return found;
        } finally {
            if (!done) {
                rollback(used);
            }
        }
    }

    private Found take(Connection used) throws SQLException, SourceException, InterruptedException {
        boolean locked = statements.lock(used);
        counts.active(locked);
        if (!locked) {
            used.rollback();
            return Found.LOCKED;
        }
        OutboxBatch batch = statements.select(used);
        if (batch.rows().isEmpty()) {
            used.rollback();
            counts.drained();
            return Found.EMPTY;
        }
        counts.oldest(batch.age());
        List<OutboxBatch.Row> rows = handOver(batch.rows());
        statements.delete(used, rows);
        used.commit();
        rows.forEach(row -> taken.remove(row.message().key()));
        counts.confirmed(rows.size());
        boolean more = batch.hasMore() || rows.size() < batch.rows().size();
        if (!more) {
            counts.drained();
        }
        return more ? Found.FULL : Found.PART;
    }

    /** Hands over the rows that the sink does not have yet; returns the first ones, which it has then. */
    private List<OutboxBatch.Row> handOver(List<OutboxBatch.Row> rows)
            throws SourceException, InterruptedException {
        handOver.clear();
        int number = 0;
        try {
            for (OutboxBatch.Row row : rows) {
                String key = row.message().key();
                if (!taken.containsKey(key) && !handOver.send(key, row.message())) {
                    if (number == 0) {
                        throw handOver.tooSlow();
                    }
                    break;
                }
                number++;
            }
            handOver.await();
            return rows.subList(0, number);
        } finally {
            for (HandOver.Sent<String> sent : handOver.sent()) {
                if (sent.taken().isSuccess()) {
                    taken.put(sent.place(), true);
                }
            }
        }
    }

    private void rollback(Connection used) {
        try {
            used.rollback();
        } catch (SQLException e) {
            disconnect(); // broken: the database rolls back
        }
    }

    /** Waits for a time, for a notification if there are any, or for the stop signal. */
    private void pause(Connection used, long millis) throws SQLException, InterruptedException {
        if (!config.listen()) {
            stop.await(millis);
            return;
        }
        PGConnection notified = used.unwrap(PGConnection.class);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        long left = millis;
        while (left > 0 && !stop.isGiven()
                && notified.getNotifications((int) Math.min(left, CHECK_MILLIS)).length == 0) {
            left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        }
    }

    @Override
    public void disconnect() {
        Connection used = connection;
        connection = null;
        try {
            if (used != null) {
                used.close();
            }
        } catch (SQLException e) {
            // The connection is broken already.
        }
    }

    @Override
    public void abort() {
        Connection used = connection;
        try {
            if (used != null) {
                used.abort(Runnable::run);
            }
        } catch (SQLException e) {
            // The connection is broken already.
        }
    }

    @Override
    public String description() {
        return "outbox %s of database %s".formatted(table, config.database());
    }
}
