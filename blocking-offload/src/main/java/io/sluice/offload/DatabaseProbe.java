package io.sluice.offload;

import io.sluice.config.DatabaseConfig;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a database every few seconds whether it is there, over a connection of its own: a pool whose
 * connections are all busy is no sign that the database is gone. Only the probe's thread waits for
 * a database that takes the connection and then says nothing.
 */
final class DatabaseProbe implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DatabaseProbe.class);
    private static final int VALID_WITHIN_SECONDS = 2;

    private final String name;
    private final DatabaseConfig config;
    private final ScheduledExecutorService thread;
    private volatile boolean reachable;
    /** These three belong to the thread. */
    private Consumer<Boolean> onChange = _ -> { };
    private Connection connection;
    private boolean lookedBefore;

    /** Looks once, and returns when it has; not much later than a connection may take, in any case. */
    DatabaseProbe(String name, DatabaseConfig config) {
        this.name = name;
        this.config = config;
        thread = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("probe-" + name).daemon().factory());
        Duration patience = config.connectionTimeout().plusSeconds(VALID_WITHIN_SECONDS);
        if (!isDoneWithin(patience, CompletableFuture.runAsync(this::ask, thread))) {
            log.warn("database {} has not answered yet", name);
        }
    }

    /**
     * Looks again and again from now on.
     *
     * @param reachability is told, on the probe's thread, whether the database is there: at first, and when
     *     it has come or gone
     */
    void watch(Consumer<Boolean> reachability) {
        thread.execute(() -> {
            onChange = reachability;
            reachability.accept(reachable);
        });
        long interval = config.probeInterval().toMillis();
        thread.scheduleWithFixedDelay(this::ask, interval, interval, TimeUnit.MILLISECONDS);
    }

    boolean reachable() {
        return reachable;
    }

    /** Looks soon, instead of at the next interval; once, however many workers find the database gone. */
    void look() {
        if (reachable && !thread.isShutdown()) {
            thread.execute(() -> {
                if (reachable) {
                    ask();
                }
            });
        }
    }

    private void ask() {
        Exception failure = null;
        try {
            if (connection != null && !connection.isValid(VALID_WITHIN_SECONDS)) {
                disconnect(); // this one may be broken while others can be had
            }
            if (connection == null) {
                connection = DriverManager.getConnection(config.url(), login());
            }
        } catch (SQLException | RuntimeException e) {
            failure = isBusy(e) ? null : e;
            disconnect();
        }
        tell(failure);
    }

    private Properties login() {
        Properties login = DriverTimeouts.of(config);
        login.setProperty("user", config.user());
        login.setProperty("password", config.password());
        return login;
    }

    /** A database that refuses one more connection, SQLSTATE class 53, is there. */
    private static boolean isBusy(Exception e) {
        return e instanceof SQLException sql && sql.getSQLState() != null
                && sql.getSQLState().startsWith("53");
    }

    private void tell(Exception failure) {
        boolean before = reachable;
        reachable = failure == null;
        if (reachable != before) {
            onChange.accept(reachable);
        }
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
        } catch (SQLException | RuntimeException e) {
            log.debug("closing the probe's connection to {}", name, e);
        }
        connection = null;
    }

    private static boolean isDoneWithin(Duration time, CompletableFuture<?> action) {
        return action.thenApply(_ -> true)
                .completeOnTimeout(false, time.toMillis(), TimeUnit.MILLISECONDS).join();
    }

    @Override
    public void close() {
        if (!thread.isShutdown()) {
            CompletableFuture<?> disconnected = CompletableFuture.runAsync(this::disconnect, thread);
            thread.shutdown(); // what has been handed over is still done, but no further look
            isDoneWithin(Duration.ofSeconds(VALID_WITHIN_SECONDS), disconnected);
        }
    }
}
