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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connections of a database, as many as there are workers to use them; HikariCP keeps them. */
final class ConnectionPool implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ConnectionPool.class);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int GRACE_SECONDS = 1;

    private final HikariDataSource connections;
    private final Set<ConnectionLease> leases = ConcurrentHashMap.newKeySet();
    /** Those from before the database was lost sight of. Confined to the probe's thread. */
    private List<ConnectionLease> suspects = List.of();

    /**
     * Connects in the background.
     *
     * @param reachable whether there is any use in that yet
     * @param meterRegistry a Micrometer registry, or null
     */
    ConnectionPool(String name, DatabaseConfig config, int size, boolean reachable, Object meterRegistry) {
        var hikari = new HikariConfig();
        hikari.setPoolName(name);
        hikari.setDataSource(new DatabaseLogin(config));
        hikari.setAutoCommit(false);
        hikari.setMaximumPoolSize(size);
        hikari.setMinimumIdle(reachable ? size : 0);
        hikari.setConnectionTimeout(config.connectionTimeout().toMillis());
        hikari.setValidationTimeout(Math.min(config.connectionTimeout().toMillis(), 1000));
        hikari.setInitializationFailTimeout(-1);
        hikari.setMetricRegistry(meterRegistry);
        hikari.setExceptionOverride(new KeepWhatIsUnsupported());
        connections = new HikariDataSource(hikari);
    }

    /** HikariCP closes connections on SQLSTATE 0A000, although only the statement is of no use. */
    private static final class KeepWhatIsUnsupported implements SQLExceptionOverride {
        @java.lang.Override
        public Override adjudicate(SQLException e) {
            return "0A000".equals(e.getSQLState()) ? Override.DO_NOT_EVICT : Override.CONTINUE_EVICT;
        }
    }

    /** Waits for a connection, no longer than one may take to be made. */
    ConnectionLease lease(WorkScope scope) throws SQLException {
        Connection connection = connections.getConnection();
        try {
            return new ConnectionLease(connection, scope, PATIENCE, leases);
        } catch (Throwable e) { // for want of memory or of a thread
            connection.close();
            throw e;
        }
    }

    /** Runs a script on the calling thread. */
    void run(String sql) throws SQLException {
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
            connection.commit();
        }
    }

    /** Whether there is no connection at all, in use or not. */
    boolean isEmpty() {
        return connections.getHikariPoolMXBean().getTotalConnections() == 0;
    }

    /** Whether there are as many as there may be. */
    boolean isFull() {
        return connections.getHikariPoolMXBean().getTotalConnections() >= connections.getMaximumPoolSize();
    }

    /** Keeps a connection that has broken from coming back. */
    void evict(Connection connection) {
        connections.evictConnection(connection);
    }

    /**
     * The database has come or gone, or its probe has lost sight of it for a moment. While it is gone,
     * HikariCP is not to look for it as well: it would find it seconds late, at the end of its back-off.
     * Connections from before may be dead without knowing; those in use get a moment to show otherwise.
     */
    void reachable(boolean reachable) {
        connections.setMinimumIdle(reachable ? connections.getMaximumPoolSize() : 0);
        if (!reachable) {
            connections.getHikariPoolMXBean().softEvictConnections();
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
