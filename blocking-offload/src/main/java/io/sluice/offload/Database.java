package io.sluice.offload;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.config.DatabaseConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;

/**
 * A database behind an offload pool, with as many connections as the pool has workers: whoever has a
 * worker has a connection, nobody waits for one, and there is one queue to look at.
 */
public final class Database implements AutoCloseable {
    private final String name;
    private final DatabaseConfig config;
    private final Offload offload;
    private final HikariDataSource connections;
    private final DatabaseProbe probe;

    /**
     * Connects in the background; a database that is not there does not keep the gateway from starting.
     *
     * @param meterRegistry what HikariCP reports to: a Micrometer registry, or null
     */
    public Database(String name, DatabaseConfig config, Offload offload, Object meterRegistry) {
        this.name = name;
        this.config = config;
        this.offload = offload;
        probe = new DatabaseProbe(name, config);
        connections = new HikariDataSource(hikari(meterRegistry));
        probe.watch(this::reachabilityChanged);
    }

    private HikariConfig hikari(Object meterRegistry) {
        var hikari = new HikariConfig();
        hikari.setPoolName(name);
        hikari.setJdbcUrl(config.url());
        hikari.setUsername(config.user());
        hikari.setPassword(config.password());
        hikari.setDataSourceProperties(DriverTimeouts.of(config));
        hikari.setAutoCommit(false);
        hikari.setMaximumPoolSize(offload.stats().workers());
        hikari.setMinimumIdle(probe.reachable() ? hikari.getMaximumPoolSize() : 0);
        hikari.setConnectionTimeout(config.connectionTimeout().toMillis());
        hikari.setValidationTimeout(Math.min(config.connectionTimeout().toMillis(), 1000));
        hikari.setInitializationFailTimeout(-1);
        hikari.setMetricRegistry(meterRegistry);
        return hikari;
    }

    /**
     * While the database is gone, HikariCP is not to look for it too: it would find it up to five seconds
     * late, at the end of its back-off. What it has of connections is broken or will be.
     */
    private void reachabilityChanged(boolean reachable) {
        connections.setMinimumIdle(reachable ? connections.getMaximumPoolSize() : 0);
        if (!reachable) {
            connections.getHikariPoolMXBean().softEvictConnections();
        }
    }

    /**
     * Hands work over to the pool, with a connection. Fails at once with
     * {@link OffloadException.DatabaseUnavailable} while the database is known to be gone.
     *
     * @see Offload#submit
     */
    public <T> Future<T> submit(Deadline deadline, EventExecutor home, SqlWork<T> work) {
        if (!probe.reachable()) {
            return home.newFailedFuture(unavailable(null));
        }
        return offload.submit(deadline, home, scope -> {
            try (Connection connection = connect(); var _ = new ConnectionAborter(connection, scope)) {
                return transact(connection, work, scope);
            }
        });
    }

    private Connection connect() throws SQLException, OffloadException {
        try {
            return connections.getConnection();
        } catch (SQLTransientConnectionException e) {
            probe.look();
            throw unavailable(e);
        }
    }

    private <T> T transact(Connection connection, SqlWork<T> work, WorkScope scope) throws Exception {
        T result = null;
        try {
            result = work.run(connection, scope);
            connection.commit();
            return result;
        } catch (Throwable e) {
            ReferenceCountUtil.safeRelease(result);
            rollBack(connection, e);
            throw e;
        }
    }

    private void rollBack(Connection connection, Throwable failure) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            failure.addSuppressed(e);
            connections.evictConnection(connection); // broken, whatever its driver calls that
            probe.look();
        }
    }

    private OffloadException unavailable(Throwable cause) {
        return new OffloadException.DatabaseUnavailable(name, config.probeInterval(), cause);
    }

    /** Whether it answered when it was asked last. */
    public boolean reachable() {
        return probe.reachable();
    }

    /**
     * Runs a script on the calling thread, which it blocks.
     *
     * @param sql any number of statements
     */
    public void runScript(String sql) throws SQLException {
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
            connection.commit();
        }
    }

    /** Closes the connections; to be called when the pool has ended. */
    @Override
    public void close() {
        probe.close();
        connections.close();
    }
}
