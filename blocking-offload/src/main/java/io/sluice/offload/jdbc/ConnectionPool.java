package io.sluice.offload.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import io.sluice.config.DatabaseConfig;
import io.sluice.offload.CancelAction;
import io.sluice.offload.WorkScope;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connections of a database, one for each worker, pooled by HikariCP. */
final class ConnectionPool implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ConnectionPool.class);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int GRACE_SECONDS = 1;
    /** HikariCP validates connections by itself that were not used for so long. */
    private static final long TRUSTED_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int VALID_WITHIN_SECONDS = 1;

    private final HikariDataSource connections;
    private final Set<ConnectionLease> leases = ConcurrentHashMap.newKeySet();
    private final long evictionPauseNanos;
    private volatile long lostAt = System.nanoTime() - TRUSTED_NANOS;
    private final AtomicLong evictedAt;
    /** The leases from before the database became silent. Confined to the probe's thread. */
    private List<ConnectionLease> suspects = List.of();

    /**
     * Creates a pool, which connects in the background.
     *
     * @param reachable whether the database is reachable; if not, the pool does not connect yet
     * @param meterRegistry a Micrometer registry, or null
     */
    ConnectionPool(String name, DatabaseConfig config, int size, boolean reachable,
                   @Nullable Object meterRegistry) {
        var hikari = new HikariConfig();
        hikari.setPoolName(name);
        hikari.setDataSource(new DatabaseLogin(config, "sluice-" + name));
        hikari.setMaximumPoolSize(size);
        hikari.setMinimumIdle(reachable ? size : 0);
        hikari.setConnectionTimeout(config.connectionTimeout().toMillis());
        hikari.setValidationTimeout(Math.min(config.connectionTimeout().toMillis(), 1000));
        hikari.setInitializationFailTimeout(-1);
        hikari.setMetricRegistry(meterRegistry);
        hikari.setExceptionOverride(new KeepOnUnsupportedFeature());
        connections = new HikariDataSource(hikari);
        evictionPauseNanos = config.probeInterval().toNanos();
        evictedAt = new AtomicLong(System.nanoTime() - evictionPauseNanos);
    }

    /** HikariCP would close a connection on SQLSTATE 0A000, although only the statement has failed. */
    private static final class KeepOnUnsupportedFeature implements SQLExceptionOverride {
        @java.lang.Override
        public SQLExceptionOverride.Override adjudicate(SQLException e) {
            return "0A000".equals(e.getSQLState()) ? SQLExceptionOverride.Override.DO_NOT_EVICT
                    : SQLExceptionOverride.Override.CONTINUE_EVICT;
        }
    }

    /**
     * Waits for a connection, for {@code connection-timeout} at most unless connections have been lost.
     * Blocks.
     */
    ConnectionLease lease(WorkScope scope) throws SQLException {
        Connection connection = validConnection();
        try {
            return new ConnectionLease(connection, scope, PATIENCE, leases, this::evict);
        } catch (Throwable e) { // short of memory or threads
            connection.close();
            throw e;
        }
    }

    private Connection validConnection() throws SQLException {
        while (true) {
            Connection connection = connections.getConnection();
            boolean valid = false;
            try {
                valid = System.nanoTime() - lostAt >= TRUSTED_NANOS
                        || connection.isValid(VALID_WITHIN_SECONDS);
            } finally {
                if (!valid) { // or short of memory
                    evict(connection);
                }
            }
            if (valid) {
                return connection;
            }
        }
    }

    /** Runs a script in a transaction. Blocks. */
    void run(String sql) throws SQLException {
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(sql);
            connection.commit();
        }
    }

    /** Returns whether there is no connection, neither in use nor idle. */
    boolean isEmpty() {
        return connections.getHikariPoolMXBean().getTotalConnections() == 0;
    }

    /** Returns whether there are as many connections as allowed. */
    boolean isFull() {
        return connections.getHikariPoolMXBean().getTotalConnections() >= connections.getMaximumPoolSize();
    }

    /** Removes a broken connection from the pool. */
    void evict(Connection connection) {
        connections.evictConnection(connection);
    }

    /**
     * Records that a connection was lost. Others may be dead, too, and are validated before their next use.
     */
    void lost() {
        lostAt = System.nanoTime();
    }

    /** Closes idle connections, and those in use when they are given back. */
    void replaceAll() {
        connections.getHikariPoolMXBean().softEvictConnections();
    }

    /** Calls {@link #replaceAll} unless that was done within {@code probe-interval}. */
    void replaceAllRarely() {
        long last = evictedAt.get();
        long now = System.nanoTime();
        if (now - last >= evictionPauseNanos && evictedAt.compareAndSet(last, now)) {
            replaceAll();
        }
    }

    /**
     * Records that the database has become reachable or unreachable, or that its probe had no answer for a
     * moment. While it is unreachable, HikariCP does not try to connect: with its back-off, it would succeed
     * seconds late. Connections from before may be dead unnoticed; those in use have a second to end, then
     * they are aborted.
     */
    void setReachable(boolean reachable) {
        connections.setMinimumIdle(reachable ? connections.getMaximumPoolSize() : 0);
        if (!reachable) {
            replaceAll();
            suspects = List.copyOf(leases);
        } else {
            List<ConnectionLease> old = suspects;
            suspects = List.of();
            CompletableFuture.delayedExecutor(GRACE_SECONDS, TimeUnit.SECONDS, CancelAction.THREADS)
                    .execute(() -> abort(old));
        }
    }

    private void abort(List<ConnectionLease> old) {
        long broken = old.stream().filter(ConnectionLease::abort).count();
        if (broken > 0) {
            log.warn("database {}: broke {} connections that were in use when it fell silent",
                    connections.getPoolName(), broken);
        }
    }

    @Override
    public void close() {
        connections.close();
    }
}
