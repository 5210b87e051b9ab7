package io.sluice.offload;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Breaks a connection that is still in use some time after its task has ended: at its other end nobody
 * hears of cancelling, and the worker would wait with it for an answer, a commit or a rollback.
 */
final class ConnectionAborter implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Connection connection;
    private final Duration patience;
    private final CountDownLatch done = new CountDownLatch(1);
    private final WorkScope.Registration registration;

    /** Watches from now on, until closed. */
    ConnectionAborter(Connection connection, WorkScope scope) {
        this(connection, scope, PATIENCE);
    }

    ConnectionAborter(Connection connection, WorkScope scope, Duration patience) {
        this.connection = connection;
        this.patience = patience;
        registration = scope.onCancel(this::abortUnlessDone);
    }

    private void abortUnlessDone() {
        try {
            if (!done.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                connection.abort(Runnable::run);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException e) {
            // Broken already.
        }
    }

    /** Returns when the connection cannot be broken any more. */
    @Override
    public void close() {
        done.countDown();
        registration.close();
    }
}
