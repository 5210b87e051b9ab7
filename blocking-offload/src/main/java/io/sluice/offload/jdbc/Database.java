package io.sluice.offload.jdbc;

import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.DatabaseConfig;
import io.sluice.offload.ClientNetwork;
import io.sluice.offload.Deadline;
import io.sluice.offload.Offload;
import io.sluice.offload.OffloadException;
import io.sluice.offload.Work;
import io.sluice.offload.WorkScope;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.Semaphore;

/**
 * A database behind an offload pool, with as many connections as the pool has workers: whoever has a
 * worker has a connection, nobody waits for one, and there is one queue to look at.
 */
public final class Database implements AutoCloseable {
    private final String name;
    private final DatabaseConfig config;
    private final Offload offload;
    /** What there is of it on this side; null until it has been looked for. */
    private volatile Link link;
    private volatile boolean open;

    private record Link(DatabaseProbe probe, ConnectionPool connections, LostConnections lost,
                        Semaphore retries) {
    }

    /** One that is not reachable until it has been connected to and opened. */
    public Database(String name, DatabaseConfig config, Offload offload) {
        this.name = name;
        this.config = config;
        this.offload = offload;
    }

    /**
     * Looks for it, which blocks the calling thread, and connects in the background; a database that is not
     * there does not keep the gateway from starting.
     *
     * @param meterRegistry what HikariCP reports to: a Micrometer registry, or null
     */
    public void connect(Object meterRegistry) {
        var probe = new DatabaseProbe(name, config);
        var connections = new ConnectionPool(name, config, offload.stats().workers(), probe.reachable(),
                meterRegistry);
        probe.watch(connections::reachable);
        int half = offload.stats().workers() / 2;
        link = new Link(probe, connections, new LostConnections(Math.max(2, half), Ticker.systemTicker()),
                new Semaphore(Math.max(1, half)));
    }

    /**
     * Runs a script on the calling thread, which it blocks.
     *
     * @param sql any number of statements
     */
    public void runScript(String sql) throws SQLException {
        link.connections.run(sql);
    }

    /** Lets work come, as long as it is there. */
    public void open() {
        open = true;
    }

    /** The same one by another pool, whose workers may have to wait for a connection; not to be closed. */
    public Database by(Offload other) {
        var same = new Database(name, config, other);
        same.link = link;
        same.open = open;
        return same;
    }

    /**
     * Hands work over to the pool, with a connection. Fails at once with
     * {@link OffloadException.DatabaseUnavailable} while the database is known to be gone.
     *
     * @see Offload#submit
     */
    public <T> Future<T> submit(ClientNetwork client, Deadline deadline, EventExecutor home,
                                SqlWork<T> work) {
        return submitPrepared(client, deadline, home, _ -> work);
    }

    /**
     * The same for work that a worker makes before it has a connection: what fails there costs none.
     *
     * @param preparation makes the work, on the worker
     */
    public <T> Future<T> submitPrepared(ClientNetwork client, Deadline deadline, EventExecutor home,
                                        Work<SqlWork<T>> preparation) {
        if (!reachable()) {
            return home.newFailedFuture(unavailable(null));
        }
        Link used = link;
        return offload.submit(client, deadline, home, scope -> {
            if (!reachable()) {
                throw unavailable(null); // gone while this waited
            }
            SqlWork<T> work = preparation.run(scope);
            try (ConnectionLease lease = lease(used, scope)) {
                T result = transact(used, lease.connection(), work, scope);
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
                    if (scope.isAbandoned() || LocalShortage.is(e) || !used.probe.isThere()
                            || used.connections.isEmpty()) {
                        throw unavailable(e);
                    }
                    // It is there: connections are made one after another, and others' came first.
                }
            }
        } finally {
            Thread.interrupted(); // was meant for the wait
        }
    }

    private <T> T transact(Link used, Connection connection, SqlWork<T> work, WorkScope scope)
            throws Exception {
        T result = null;
        try {
            result = work.run(connection, scope);
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
            return result;
        } catch (Throwable e) {
            ReferenceCountUtil.safeRelease(result);
            if (!canBeUsedAgain(connection, e)) {
                used.connections.evict(connection); // broken, whatever its driver calls that
                if (FetchBufferExceeded.is(e)) {
                    used.lost.add();
                }
                used.probe.look();
            }
            if (FetchBufferExceeded.is(e)) {
                throw exceeded(e);
            }
            throw e;
        }
    }

    /** After an Error, nobody knows what the driver has sent or read by half: no rollback is tried. */
    private static boolean canBeUsedAgain(Connection connection, Throwable failure) {
        try {
            if (failure instanceof Error) {
                connection.abort(Runnable::run);
                return false;
            }
            connection.setAutoCommit(false);
            connection.rollback();
            return !isOfNoMoreUse(failure);
        } catch (Throwable e) { // an Error too: the connection would be given back
            if (e != failure) {
                failure.addSuppressed(e);
            }
            return false;
        }
    }

    /**
     * By SQLSTATE: a connection exception, PostgreSQL's "terminating connection", or its "read-only
     * transaction": after a failover a connection may lead to the former primary.
     */
    private static boolean isOfNoMoreUse(Throwable failure) {
        return failure instanceof SQLException sql && sql.getSQLState() != null
                && (sql.getSQLState().startsWith("08") || sql.getSQLState().startsWith("57P")
                || sql.getSQLState().equals("25006"));
    }

    private OffloadException unavailable(Throwable cause) {
        return new OffloadException.DatabaseUnavailable(name, config.probeInterval(), cause);
    }

    /** The bytes of rows that a connection holds at a time. */
    public long fetchBuffer() {
        return config.fetchBuffer().bytes();
    }

    /**
     * Looks at a row that has been read. PostgreSQL's driver has counted the bytes that it held for it.
     *
     * @param size in bytes, about
     * @throws FetchBufferExceeded where a connection should not have held it
     */
    public void requireFetchable(long size) throws FetchBufferExceeded {
        if (size > fetchBuffer() && !DatabaseLogin.isFor("postgresql", config)) {
            throw exceeded(null);
        }
    }

    /** The failure of a query whose rows the fetch buffer cannot hold; the cause may be null. */
    public FetchBufferExceeded exceeded(Throwable cause) {
        return new FetchBufferExceeded(name, fetchBuffer(), cause);
    }

    /** Tells whether rows beyond the fetch buffer have cost it half of its connections within a second. */
    public boolean hasLostMany() {
        return link.lost.areMany();
    }

    /** Permits to run queries again whose rows exceeded the fetch buffer, for half of its connections. */
    public Semaphore retries() {
        return link.retries;
    }

    /** Whether it answered when it was asked last. */
    public boolean reachable() {
        return open && link.probe.reachable();
    }

    /** Whether it has all the connections that it may have. */
    public boolean isFull() {
        return open && link.connections.isFull();
    }

    /** Closes the connections; to be called when the pool has ended. */
    @Override
    public void close() {
        if (link != null) {
            link.probe.close();
            link.connections.close();
        }
    }
}
