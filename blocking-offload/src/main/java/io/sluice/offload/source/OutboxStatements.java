package io.sluice.offload.source;

import io.sluice.config.topic.SourceConfig;
import io.sluice.config.type.TableName;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;

/** The statements of a transaction on an outbox. They leave nothing in the session, for PgBouncer. */
final class OutboxStatements {
    /** The longest time of a statement. */
    static final int TIMEOUT_MILLIS = 10_000;
    /** The longest time for which a transaction waits for the gateway, besides the deadline of the sink. */
    private static final int IDLE_MILLIS = 5_000;

    /** The key of the lock is this with the number of the table. */
    private static final long LOCK = 0x736C_7563L << 32;

    /**
     * A gateway that is gone without a word holds the lock until the database ends its idle transaction.
     */
    private static final String BEGIN = """
            SELECT set_config('statement_timeout', '%d', true),
              set_config('idle_in_transaction_session_timeout', '%d', true),
              pg_is_in_recovery(), to_regclass(?) IS NOT NULL,
              pg_try_advisory_xact_lock(? + to_regclass(?)::oid::bigint)""";
    /** Selects the first rows that fit, at least one. The texts of a row that does not fit are null. */
    private static final String SELECT = """
            SELECT id, CASE WHEN size <= %2$d THEN topic END, CASE WHEN size <= %2$d THEN payload END, size,
              age, number, created
            FROM (SELECT id, topic, payload, size, sum(size) OVER (ORDER BY id) AS total,
                    extract(epoch FROM clock_timestamp() - created_at)::float8 AS age,
                    extract(epoch FROM created_at)::text AS created,
                    count(*) OVER () AS number, row_number() OVER (ORDER BY id) AS place
                  FROM (SELECT *,
                          coalesce(octet_length(topic), 0) + coalesce(octet_length(payload), 0) AS size
                        FROM %1$s ORDER BY id LIMIT %3$d) AS head) AS batch
            WHERE total <= %2$d OR place = 1 ORDER BY id""";

    private final SourceConfig config;
    private final TableName table;
    private final String begin;
    private final String select;
    private final String delete;
    private final String count;

    OutboxStatements(SourceConfig config, TableName table) {
        this.config = config;
        this.table = table;
        begin = BEGIN.formatted(TIMEOUT_MILLIS, config.deadline().toMillis() + IDLE_MILLIS);
        select = SELECT.formatted(table.quoted(), config.batchSize().bytes(), config.batchRows());
        delete = "DELETE FROM " + table.quoted() + " WHERE id = ANY (?)";
        count = "SELECT count(*) FROM " + table.quoted() + " WHERE id = ANY (?)";
    }

    /** Begins a transaction; returns whether it has the lock of the outbox. */
    boolean lock(Connection connection) throws SQLException, SourceException {
        try (PreparedStatement statement = connection.prepareStatement(begin)) {
            statement.setString(1, table.quoted());
            statement.setLong(2, LOCK);
            statement.setString(3, table.quoted());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                if (row.getBoolean(3)) {
                    throw Remedy.standby();
                }
                if (!row.getBoolean(4)) {
                    throw new SourceException("there is no such table (apply sluice-outbox.sql)", null);
                }
                return row.getBoolean(5);
            }
        }
    }

    /** Returns the first rows, within the limits of a batch. */
    OutboxBatch select(Connection connection) throws SQLException, SourceException {
        try (PreparedStatement statement = connection.prepareStatement(select);
                ResultSet row = statement.executeQuery()) {
            boolean text = row.getMetaData().getColumnType(3) != Types.BINARY;
            var rows = new ArrayList<OutboxBatch.Row>();
            double age = 0;
            long number = 0;
            while (row.next()) {
                if (rows.isEmpty()) {
                    age = row.getDouble(5);
                    number = row.getLong(6);
                }
                rows.add(read(row, text));
            }
            return new OutboxBatch(rows, age, number > rows.size() || number == config.batchRows());
        }
    }

    private OutboxBatch.Row read(ResultSet row, boolean text) throws SQLException, SourceException {
        long id = row.getLong(1);
        long size = row.getLong(4);
        String topic = row.getString(2);
        byte[] payload = row.getBytes(3);
        if (size > config.batchSize().bytes()) {
            throw new SourceException(("row %d has %d bytes, more than source.batch-size (%s); raise it, or "
                    + "delete it: rows behind it wait").formatted(id, size, config.batchSize()), null);
        }
        if (topic == null || payload == null) {
            throw new SourceException("row %d: topic or payload is null; correct or delete it: others wait"
                    .formatted(id), null);
        }
        // The time tells rows apart that have one id, after a failover with a loss.
        return new OutboxBatch.Row(id, new Message(topic, text, payload,
                "%s/%s/%s/%d".formatted(config.database(), table, row.getString(7), id)));
    }

    /** Deletes rows. That others have deleted some of them is no failure. */
    void delete(Connection connection, List<OutboxBatch.Row> rows) throws SQLException, SourceException {
        Array ids = connection.createArrayOf("bigint",
                rows.stream().map(OutboxBatch.Row::id).toArray(Long[]::new));
        try (PreparedStatement statement = connection.prepareStatement(delete)) {
            statement.setArray(1, ids);
            if (statement.executeUpdate() == rows.size()) {
                return;
            }
        }
        try (PreparedStatement statement = connection.prepareStatement(count)) {
            statement.setArray(1, ids);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                long left = row.getLong(1);
                if (left > 0) {
                    throw new SourceException(("%d of %d rows are still there after their DELETE, kept by a "
                            + "trigger or row-level security; change that: rows behind them wait")
                            .formatted(left, rows.size()), null);
                }
            }
        }
    }
}
