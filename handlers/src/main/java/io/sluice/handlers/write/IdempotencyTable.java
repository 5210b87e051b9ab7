package io.sluice.handlers.write;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.config.type.TableName;
import io.sluice.config.write.IdempotencyConfig;
import io.sluice.handlers.HttpException;
import io.sluice.offload.WorkScope;
import io.sluice.offload.jdbc.PostgresDriver;
import io.sluice.offload.jdbc.StatementCanceller;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The table of idempotency keys and the responses to their requests. A key is inserted at the beginning of
 * the transaction that changes data, and its response at the end: so a key that others can see has a
 * response, and the change is committed. Thread-safe; its methods block.
 */
final class IdempotencyTable {
    /** The changes of this process between two deletions of expired keys. */
    private static final int DELETION_PERIOD = 64;
    /** More keys than are inserted between two deletions. */
    private static final int MAX_DELETED = 200;
    private static final String OF_KEY = " WHERE route = ? AND caller = ? AND idempotency_key = ?";
    /** By the clock of the database, as those of gateways differ and jump. */
    private static final String EXPIRED = "expires_at < CURRENT_TIMESTAMP";
    private static final String CONFLICT = "23505";
    /** H2's timeout of a lock, and its "concurrent update". */
    private static final Set<String> LOCKED = Set.of("HYT00", "90131");

    private final String name;
    /** The SQL of the time until which a new key is kept. */
    private final String expiry;
    private final String route;
    private final AtomicInteger changes = new AtomicInteger();

    /** Work with a statement. */
    @FunctionalInterface
    private interface StatementWork<T extends @Nullable Object> {
        T run(PreparedStatement statement) throws SQLException;
    }

    /** Creates a table of the keys of a route; its statements begin with the first request. */
    IdempotencyTable(IdempotencyConfig config, String route) {
        name = config.table().quoted();
        expiry = "CURRENT_TIMESTAMP + INTERVAL '%s' SECOND"
                .formatted(BigDecimal.valueOf(config.ttl().toMillis(), 3));
        this.route = route;
    }

    /** Returns a SELECT of all columns, for a check of the table. */
    static String select(TableName table) {
        return "SELECT route, caller, idempotency_key, fingerprint, expires_at, status, headers, body FROM "
                + table.quoted();
    }

    /**
     * Inserts the key of a request into the transaction of a connection.
     *
     * @param fingerprint of the request
     * @return the response to an earlier request with this key; null if this is the first one
     * @throws HttpException 409 if an earlier one is running, 422 if it was another one
     */
    @Nullable StoredResponse insert(Connection connection, WorkScope scope, WriteRequest request,
                                  byte[] fingerprint) throws SQLException {
        if (changes.getAndIncrement() % DELETION_PERIOD == 0) {
            deleteExpired(connection, scope);
        }
        if (insertIfAbsent(connection, scope, request, fingerprint)) {
            return null;
        }
        StoredResponse stored = find(connection, scope, request, fingerprint);
        if (stored == null && !insertIfAbsent(connection, scope, request, fingerprint)) {
            throw running();
        }
        return stored;
    }

    private static HttpException running() {
        return new HttpException(HttpResponseStatus.CONFLICT,
                "Idempotency-Key: a request with this key is running; try again")
                .with(HttpHeaderNames.RETRY_AFTER, 1);
    }

    /** Returns whether the key has been inserted: there was none, and no other transaction inserts it. */
    private boolean insertIfAbsent(Connection connection, WorkScope scope, WriteRequest request,
                                   byte[] fingerprint) throws SQLException {
        boolean isPostgres = isPostgres(connection);
        String sql = "INSERT INTO " + name + " (route, caller, idempotency_key, fingerprint, expires_at) "
                // Without the lock, an INSERT would wait for another one of the same key.
                + (isPostgres ? "SELECT ?, ?, ?, ?, " + expiry + " WHERE pg_try_advisory_xact_lock(?) "
                        + "ON CONFLICT DO NOTHING" : "VALUES (?, ?, ?, ?, " + expiry + ')');
        return with(connection, scope, sql, statement -> {
            bindKey(statement, 1, request);
            statement.setBytes(4, fingerprint);
            if (isPostgres) {
                statement.setLong(5, lock(request));
                return statement.executeUpdate() == 1;
            }
            return insertOnH2(statement);
        });
    }

    private static boolean insertOnH2(PreparedStatement statement) throws SQLException {
        try {
            return statement.executeUpdate() == 1;
        } catch (SQLException e) {
            if (CONFLICT.equals(e.getSQLState())) {
                return false; // the transaction goes on
            }
            if (LOCKED.contains(e.getSQLState())) {
                throw running();
            }
            throw e;
        }
    }

    private long lock(WriteRequest request) {
        byte[] hash = ParameterHash.of(new Object[] {name, route, request.method(), request.caller(),
            String.valueOf(request.key())});
        return ByteBuffer.wrap(hash).getLong();
    }

    /** Returns the response to an earlier request; null if there is none, or it has expired. */
    private @Nullable StoredResponse find(Connection connection, WorkScope scope, WriteRequest request,
                                        byte[] fingerprint) throws SQLException {
        String sql = "SELECT fingerprint, status, headers, body, " + EXPIRED + " FROM " + name + OF_KEY;
        StoredResponse stored = with(connection, scope, sql, statement -> {
            bindKey(statement, 1, request);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw running();
                }
                if (row.getBoolean(5)) {
                    return null; // expired
                }
                if (!Arrays.equals(fingerprint, row.getBytes(1))) {
                    throw new HttpException(HttpResponseStatus.UNPROCESSABLE_ENTITY,
                            "Idempotency-Key: used before, for another request (expected: a key of its own)");
                }
                return new StoredResponse(row.getInt(2), row.getString(3), row.getBytes(4));
            }
        });
        if (stored == null) {
            deleteOwn(connection, scope, request);
        }
        return stored;
    }

    /** Deletes an expired key, unless another transaction does. */
    private void deleteOwn(Connection connection, WorkScope scope, WriteRequest request) throws SQLException {
        boolean isPostgres = isPostgres(connection);
        String sql = "DELETE FROM " + name + OF_KEY + (isPostgres ? " AND pg_try_advisory_xact_lock(?)" : "");
        with(connection, scope, sql, statement -> {
            bindKey(statement, 1, request);
            if (isPostgres) {
                statement.setLong(4, lock(request));
            }
            return statement.executeUpdate();
        });
    }

    /**
     * Adds the response to the key that {@link #insert} has inserted.
     *
     * @throws SQLException also if the row is not updated: repeated requests would find no response
     */
    void update(Connection connection, WorkScope scope, WriteRequest request, StoredResponse answer)
            throws SQLException {
        int updated = with(connection, scope,
                "UPDATE " + name + " SET status = ?, headers = ?, body = ?" + OF_KEY, statement -> {
                    statement.setInt(1, answer.status());
                    statement.setString(2, answer.headers());
                    statement.setBytes(3, answer.body());
                    bindKey(statement, 4, request);
                    return statement.executeUpdate();
                });
        if (updated != 1) {
            throw new SQLException("the response to a request with an Idempotency-Key is not stored; see to "
                    + "policies and triggers for UPDATE of " + name);
        }
    }

    private void deleteExpired(Connection connection, WorkScope scope) throws SQLException {
        String sql = isPostgres(connection)
                ? "DELETE FROM " + name + " WHERE ctid = ANY (ARRAY(SELECT ctid FROM " + name
                        + " WHERE " + EXPIRED + " ORDER BY expires_at LIMIT " + MAX_DELETED
                        + " FOR UPDATE SKIP LOCKED))"
                : "DELETE FROM " + name + " WHERE " + EXPIRED + " FETCH FIRST " + MAX_DELETED + " ROWS ONLY";
        with(connection, scope, sql, PreparedStatement::executeUpdate);
    }

    private void bindKey(PreparedStatement statement, int first, WriteRequest request) throws SQLException {
        statement.setString(first, request.method() + ' ' + route);
        statement.setString(first + 1, request.caller());
        statement.setString(first + 2, request.key());
    }

    private static <T extends @Nullable Object> T with(Connection connection, WorkScope scope, String sql,
            StatementWork<T> work) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql);
                var _ = new StatementCanceller(statement, scope)) {
            return work.run(statement);
        }
    }

    private static boolean isPostgres(Connection connection) throws SQLException {
        return PostgresDriver.runs(connection);
    }
}
