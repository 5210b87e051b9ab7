package io.sluice.offload.jdbc;

import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.DatabaseConfig;
import io.sluice.config.session.SessionConfig;
import io.sluice.offload.ClientNetwork;
import io.sluice.offload.Deadline;
import io.sluice.offload.LocalShortage;
import io.sluice.offload.Offload;
import io.sluice.offload.OffloadException;
import io.sluice.offload.Work;
import io.sluice.offload.WorkScope;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A database behind an offload pool. It has one connection for each worker of the pool, so a worker never
 * waits for a connection, and the pool's queue is the only one.
 */
public final class Database implements AutoCloseable {
    private final String name;
    private final DatabaseConfig config;
    private final Offload offload;
    /** Null until {@link #startProbe}. */
    private @Nullable DatabaseProbe probe;
    /** The probe and the connections; null until {@link #connect}. */
    private volatile @Nullable Link link;
    private volatile boolean open;

    private record Link(DatabaseProbe probe, ConnectionPool connections, LostConnections lost,
                        Semaphore retries) {
    }

    /** Creates a database, which is unreachable until it is connected to and opened. */
    public Database(String name, DatabaseConfig config, Offload offload) {
        this.name = name;
        this.config = config;
        this.offload = offload;
    }

    /** Returns the configuration that it was made from. */
    public DatabaseConfig config() {
        return config;
    }

    /** Begins to probe the database, for {@link #connect}, so that several are waited for at once. */
    public void startProbe() {
        probe = new DatabaseProbe(name, config);
    }

    /**
     * Waits for the first probe, which blocks the calling thread, and connects in the background. An
     * unreachable database does not keep the gateway from starting.
     *
     * @param meterRegistry the Micrometer registry for HikariCP's meters, or null
     */
    public void connect(@Nullable Object meterRegistry) {
        if (probe == null) {
            startProbe();
        }
        DatabaseProbe started = Objects.requireNonNull(probe, "a probe");
        started.awaitFirst();
        var connections = new ConnectionPool(name, config, offload.stats().workers(), started.reachable(),
                meterRegistry);
        started.watch(connections::setReachable, connections::replaceAll);
        int half = offload.stats().workers() / 2;
        link = new Link(started, connections, new LostConnections(Math.max(2, half), Ticker.systemTicker()),
                new Semaphore(Math.max(1, half)));
    }

    /**
     * Runs a script in a transaction. Blocks the calling thread.
     *
     * @param sql any number of statements
     */
    public void runScript(String sql) throws SQLException {
        link().connections.run(sql);
    }

    /** Returns whether the gateway is not ready while the database is unreachable. */
    public boolean affectsReadiness() {
        return config.affectsReadiness();
    }

    /** Accepts tasks from now on, while the database is reachable. */
    public void open() {
        open = true;
    }

    /**
     * Returns the same database behind another pool, whose workers may have to wait for a connection. The
     * result shares the connections and is not to be closed.
     */
    public Database withPool(Offload other) {
        var same = new Database(name, config, other);
        same.link = link;
        same.open = open;
        return same;
    }

    /**
     * Submits work with a connection to the pool. Fails at once with
     * {@link OffloadException.DatabaseUnavailable} while the database is known to be unreachable.
     *
     * @see Offload#submit
     */
    public <T> Future<T> submit(ClientNetwork client, Deadline deadline, EventExecutor home,
                                SqlWork<T> work) {
        SqlWork<T> transaction = (connection, scope) -> {
            connection.setAutoCommit(false);
            return work.run(connection, scope);
        };
        return submitPrepared(client, deadline, home, _ -> transaction);
    }

    /**
     * Submits work that a worker prepares before it has a connection: a failure there needs none. The
     * connection is in auto-commit mode, which saves a round trip; if the work ends that mode, it begins a
     * transaction as in {@link #submit}.
     *
     * @param preparation creates the work, on the worker
     */
    public <T> Future<T> submitPrepared(ClientNetwork client, Deadline deadline, EventExecutor home,
                                        Work<SqlWork<T>> preparation) {
        Link used = link;
        if (used == null || !reachable()) {
            return home.newFailedFuture(unavailable(null));
        }
        return offload.submit(client, deadline, home, scope -> {
            if (!reachable()) {
                throw unavailable(null); // lost while this task was queued
            }
            SqlWork<T> work = preparation.run(scope);
            try (ConnectionLease lease = lease(used, scope)) {
                T result = transact(used, lease, work, scope);
                used.probe.answered();
                return result;
            }
        });
    }

    private ConnectionLease lease(Link used, WorkScope scope) throws SQLException, OffloadException {
        Thread worker = Thread.currentThread();
        try (var _ = scope.onCancel(worker::interrupt)) {
            while (true) {
                try {
                    return used.connections.lease(scope);
                } catch (SQLTransientConnectionException e) {
                    if (scope.isAbandoned() || LocalShortage.is(e) || !used.probe.probeNow()
                            || used.connections.isEmpty()) {
                        throw unavailable(e);
                    }
                    // The database is reachable: connections are made one after another, and others came
                    // first.
                }
            }
        } finally {
            Thread.interrupted(); // the interrupt was for the wait only
        }
    }

    private <T> T transact(Link used, ConnectionLease lease, SqlWork<T> work, WorkScope scope)
            throws Exception {
        Connection connection = lease.connection();
        T result = null;
        try {
            result = work.run(connection, scope);
            if (!connection.getAutoCommit()) {
                if (scope.isAbandoned()) { // after its last statement, which would have been cancelled
                    throw new CancellationException();
                }
                connection.commit();
                lease.leaveTransactions();
            }
            return result;
        } catch (Throwable e) {
            ReferenceCountUtil.safeRelease(result);
            if (!FailedTransaction.isRolledBack(connection, e)) {
                used.connections.evict(connection); // broken, whatever the exception is
                if (FetchBufferExceeded.is(e)) {
                    used.lost.add();
                } else {
                    used.connections.lost();
                }
                used.probe.probeSoon();
            } else if (mayBeOfFormerPrimary(connection, e)) {
                used.connections.replaceAllRarely(); // with this one; later, a new one was no better
                used.probe.probeSoon();
            }
            if (FetchBufferExceeded.is(e)) {
                throw exceeded(e);
            }
            throw e;
        }
    }

    /**
     * Returns whether the failure is PostgreSQL's "read-only transaction", but not by configuration: after a
     * failover a connection may still lead to the former primary.
     */
    private boolean mayBeOfFormerPrimary(Connection connection, Throwable failure) throws SQLException {
        return failure instanceof SQLException sql && "25006".equals(sql.getSQLState())
                && !connection.isReadOnly() && !config.session().readOnly();
    }

    private Link link() {
        Link connected = link;
        if (connected == null) {
            throw new IllegalStateException("database " + name + ": not connected (expected: connected)");
        }
        return connected;
    }

    private OffloadException unavailable(@Nullable Throwable cause) {
        return new OffloadException.DatabaseUnavailable(name, config.probeInterval(), cause);
    }

    /** Returns the settings of its sessions. */
    public SessionConfig session() {
        return config.session();
    }

    /** Returns the bytes of rows that a connection holds at a time. */
    public long fetchBuffer() {
        return config.fetchBuffer().bytes();
    }

    /** Returns whether each row is fetched by itself: MariaDB's driver has no bound in bytes, and streams. */
    public boolean fetchesSingly() {
        return config.isFor("mariadb");
    }

    /**
     * Checks the size of a row that has been read. PostgreSQL's driver checks it by itself, on the wire.
     *
     * @param size in bytes, approximately
     * @throws FetchBufferExceeded if the row is larger than the fetch buffer
     */
    public void requireFetchable(long size) throws FetchBufferExceeded {
        if (size > fetchBuffer() && !config.isFor("postgresql")) {
            throw exceeded(null);
        }
    }

    /** Returns the failure of a query whose rows exceed the fetch buffer; the cause may be null. */
    public FetchBufferExceeded exceeded(@Nullable Throwable cause) {
        return new FetchBufferExceeded(name, fetchBuffer(), cause);
    }

    /** Returns whether rows beyond the fetch buffer have broken half of the connections within a second. */
    public boolean hasLostMany() {
        return link().lost.areMany();
    }

    /** Permits to retry queries whose rows exceeded the fetch buffer; one for every two connections. */
    public Semaphore retries() {
        return link().retries;
    }

    /** Returns whether the database is open, and answered the last probe. Any thread. */
    public boolean reachable() {
        return open && answers();
    }

    /** Returns whether the database answered the last probe, also before it is open. Any thread. */
    public boolean answers() {
        Link used = link;
        return used != null && used.probe.reachable();
    }

    /** Returns whether the database has as many connections as allowed. */
    public boolean isFull() {
        Link used = link;
        return open && used != null && used.connections.isFull();
    }

    /** Closes the connections; to be called after the pool has been closed. */
    @Override
    public void close() {
        Link used = link;
        if (probe != null) {
            probe.close();
        }
        if (used != null) {
            used.connections.close();
        }
    }
}
