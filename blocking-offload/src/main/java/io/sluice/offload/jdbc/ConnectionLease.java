package io.sluice.offload.jdbc;

import io.sluice.offload.WorkScope;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A connection while a task uses it. It is aborted if it is still in use some time after its task has been
 * cancelled: then the database does not react to the cancel request, and the worker would wait for a result,
 * a commit or a rollback.
 */
final class ConnectionLease implements AutoCloseable {
    private final Connection connection;
    private final Duration patience;
    private final Set<ConnectionLease> all;
    private final Consumer<Connection> eviction;
    private final CountDownLatch givenBack = new CountDownLatch(1);
    private final WorkScope.Registration registration;

    /**
     * Leases a connection until it is closed.
     *
     * @param patience the time for which it may be in use after its task has been cancelled
     * @param all the leases of its database, which include this one until it is closed
     * @param eviction removes a connection from its pool
     */
    ConnectionLease(Connection connection, WorkScope scope, Duration patience, Set<ConnectionLease> all,
                    Consumer<Connection> eviction) {
        this.connection = connection;
        this.patience = patience;
        this.all = all;
        this.eviction = eviction;
        registration = scope.onCancel(this::abortUnlessGivenBackSoon);
        all.add(this);
    }

    Connection connection() {
        return connection;
    }

    private void abortUnlessGivenBackSoon() {
        try {
            if (!givenBack.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                abort();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Aborts the connection if it is still in use; returns whether it was. */
    synchronized boolean abort() {
        if (givenBack.getCount() == 0) {
            return false;
        }
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            // Broken already.
        }
        return true;
    }

    /**
     * Returns to auto-commit after a commit. The pool would do it after the lease, although some drivers ask
     * the server for it, which may not answer.
     */
    void leaveTransactions() {
        try {
            connection.setAutoCommit(true);
        } catch (SQLException | RuntimeException e) { // the work is committed all the same
            eviction.accept(connection);
        }
    }

    /** Returns the connection to the pool, broken or not; its transaction must have ended. */
    @Override
    public void close() {
        synchronized (this) {
            givenBack.countDown();
        }
        registration.close();
        all.remove(this);
        try {
            connection.close();
        } catch (SQLException e) {
            eviction.accept(connection); // after its next use, if HikariCP has lent it out already
        }
    }
}
