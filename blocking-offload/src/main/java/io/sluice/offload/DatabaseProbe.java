package io.sluice.offload;

import io.sluice.config.DatabaseConfig;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a database every few seconds whether it is there, over a connection of its own: a pool whose
 * connections are all busy is no sign that the database is gone.
 */
final class DatabaseProbe implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DatabaseProbe.class);
    private static final int VALID_WITHIN_SECONDS = 2;

    private final String name;
    private final DatabaseConfig config;
    private final ScheduledExecutorService thread;
    private Connection connection;
    private volatile boolean reachable;
    private boolean lookedBefore;

    /** Looks once on the calling thread, then in the background. */
    DatabaseProbe(String name, DatabaseConfig config) {
        this.name = name;
        this.config = config;
        thread = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("probe-" + name).daemon().factory());
        ask();
        long interval = config.probeInterval().toMillis();
        thread.scheduleWithFixedDelay(this::ask, interval, interval, TimeUnit.MILLISECONDS);
    }

    boolean reachable() {
        return reachable;
    }

    /** Looks soon, instead of at the next interval. */
    void look() {
        if (reachable && !thread.isShutdown()) {
            thread.execute(this::ask);
        }
    }

    private synchronized void ask() {
        SQLException failure = null;
        try {
            if (connection == null) {
                connection = DriverManager.getConnection(config.url(), config.user(), config.password());
            }
            if (!connection.isValid(VALID_WITHIN_SECONDS)) {
                failure = new SQLException("no answer within " + VALID_WITHIN_SECONDS + " s");
            }
        } catch (SQLException e) {
            failure = e;
        }
        if (failure != null) {
            disconnect();
        }
        tell(failure);
    }

    private void tell(SQLException failure) {
        boolean before = reachable;
        reachable = failure == null;
        if (failure != null && (before || !lookedBefore)) {
            log.warn("database {} cannot be reached: {}", name, failure.getMessage());
        } else if (failure == null && !before && lookedBefore) {
            log.info("database {} is there again", name);
        }
        lookedBefore = true;
    }

    private void disconnect() {
        if (connection == null) {
            return;
        }
        try {
            connection.close();
        } catch (SQLException e) {
            log.debug("closing the probe's connection to {}", name, e);
        }
        connection = null;
    }

    @Override
    public void close() {
        thread.shutdownNow();
        synchronized (this) {
            disconnect();
        }
    }
}
