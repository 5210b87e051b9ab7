package io.sluice.offload.jdbc;

import io.sluice.offload.WorkScope;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A connection while a task uses it. It is aborted if it is still in use some time after its task has been
 * cancelled: then the database does not react to the cancel request, and the worker would wait for a result,
 * a commit or a rollback.
 */
final class ConnectionLease implements AutoCloseable {
    private final Connection connection;
    private final Duration patience;
    private final Set<ConnectionLease> all;
    private final CountDownLatch givenBack = new CountDownLatch(1);
    private final WorkScope.Registration registration;

    /**
     * Leases a connection until it is closed.
     *
     * @param patience the time for which it may be in use after its task has been cancelled
     * @param all the leases of its database, which include this one until it is closed
     */
    ConnectionLease(Connection connection, WorkScope scope, Duration patience, Set<ConnectionLease> all) {
        this.connection = connection;
        this.patience = patience;
        this.all = all;
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
            // Broken after the commit: HikariCP evicts it, or validates it before its next use.
        }
    }
}
