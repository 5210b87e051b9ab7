package io.sluice.offload.jdbc;

import io.sluice.offload.WorkScope;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A connection while a task uses it. It is broken where it is still in use some time after its task has
 * ended: at its other end nobody hears of cancelling, and the worker would wait with it for an answer, a
 * commit or a rollback.
 */
final class ConnectionLease implements AutoCloseable {
    private final Connection connection;
    private final Duration patience;
    private final Set<ConnectionLease> all;
    private final CountDownLatch givenBack = new CountDownLatch(1);
    private final WorkScope.Registration registration;

    /**
     * Begins to use a connection, until closed.
     *
     * @param patience for how long it may be in use after its task has ended
     * @param all the leases of its database; this one is among them until it is closed
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

    /** Breaks the connection, if it is still in use; says whether it was. */
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

    /** Gives the connection back, broken or not: what was done with it is committed or rolled back. */
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
            // Broken behind the commit: HikariCP evicts it, or looks at it before it is used again.
        }
    }
}
