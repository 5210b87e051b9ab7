package io.sluice.offload.jdbc;

import io.sluice.config.DatabaseConfig;
import io.sluice.offload.Guard;
import io.sluice.offload.RareWarning;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
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
    /** Where a connection is found broken sooner, its other end has said so, as it would to others. */
    private static final long SILENCE = TimeUnit.SECONDS.toNanos(VALID_WITHIN_SECONDS) / 2;

    private final String name;
    private final DatabaseLogin login;
    private final Duration interval;
    /** How long a look takes, unless the driver takes its time. */
    private final Duration patience;
    private final Guard guard;
    private final RareWarning shortages = new RareWarning();
    private final ScheduledExecutorService thread;
    private volatile boolean reachable;
    private volatile long answeredAt = System.nanoTime();
    /** What follows belongs to the thread. */
    private Consumer<Boolean> onChange = _ -> { };
    private Connection connection;
    private boolean trusted;
    private boolean told;
    private boolean lookedBefore;
    private long lookedAt = System.nanoTime();

    /** Looks once, and returns when it has; not much later than a connection may take, in any case. */
    DatabaseProbe(String name, DatabaseConfig config) {
        this.name = name;
        guard = new Guard(log, "the probe of database " + name + " failed; it looks again");
        login = new DatabaseLogin(config);
        interval = config.probeInterval();
        thread = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("probe-" + name).daemon().factory());
        patience = config.connectionTimeout().plusSeconds(VALID_WITHIN_SECONDS);
        if (!isDoneWithin(patience, CompletableFuture.runAsync(this::ask, thread))) {
            log.warn("database {} has not answered yet", name);
        }
    }

    /**
     * Looks again and again from now on.
     *
     * @param onChange is told, on the probe's thread, whether connections can be trusted and more be made: at
     *     first, and when that changes; false and then true where the probe's own had fallen silent
     */
    void watch(Consumer<Boolean> onChange) {
        thread.execute(() -> {
            this.onChange = onChange;
            told = false;
            trust(trusted);
        });
        thread.scheduleWithFixedDelay(() -> guard.run(this::ask), interval.toMillis(), interval.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** What was found when it was looked for last. */
    boolean reachable() {
        return reachable;
    }

    /** Looks soon, instead of at the next interval; once, however many workers find the database gone. */
    void look() {
        CompletableFuture<?> _ = lookAgain();
    }

    /** Looks now, and waits for what is found. */
    boolean isThere() {
        return isDoneWithin(patience, lookAgain()) && reachable;
    }

    private CompletableFuture<?> lookAgain() {
        long since = System.nanoTime();
        try {
            return CompletableFuture.runAsync(() -> {
                if (reachable && lookedAt - since < 0) {
                    guard.run(this::ask);
                }
            }, thread);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(null); // closed
        }
    }

    /** Somebody else got an answer from the database just now: where the probe gets none, it is only slow. */
    void answered() {
        answeredAt = System.nanoTime();
    }

    private void ask() {
        lookedAt = System.nanoTime();
        Throwable failure = null;
        try {
            if (connection != null && !connection.isValid(VALID_WITHIN_SECONDS)) {
                disconnect();
                if (gotNoAnswer() && System.nanoTime() - lookedAt > SILENCE) {
                    trust(false); // others may be as dead as this one, and nobody tells them either
                }
            }
            if (connection == null) {
                connection = login.getConnection();
            }
        } catch (Throwable e) { // an Error too: it would end the looking
            disconnect();
            if (LocalShortage.is(e)) {
                warn(e);
                return; // it says nothing of the database: what was found before stands
            }
            failure = isBusy(e) || !gotNoAnswer() ? null : e;
        }
        tell(failure);
        trust(failure == null);
    }

    private boolean gotNoAnswer() {
        return answeredAt - lookedAt <= 0;
    }

    private void trust(boolean connections) {
        if (connections != trusted || !told) {
            trusted = connections;
            told = guard.run(() -> onChange.accept(connections)); // or is told at the next look
        }
    }

    /** A database that refuses one more connection, SQLSTATE class 53, is there. */
    private static boolean isBusy(Throwable e) {
        return e instanceof SQLException sql && sql.getSQLState() != null
                && sql.getSQLState().startsWith("53");
    }

    private void warn(Throwable shortage) {
        if (shortages.isDue()) {
            log.warn("database {} cannot be looked for, as this process is short of descriptors, threads or "
                    + "memory: {}; taken for {} as before (ulimit -n and -u, -XX:MaxDirectMemorySize)",
                    name, shortage.toString(), reachable ? "there" : "gone");
        }
    }

    private void tell(Throwable failure) {
        boolean before = reachable;
        reachable = failure == null;
        if (failure != null && (before || !lookedBefore)) {
            log.warn("database {} cannot be reached: {}", name, failure.toString());
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
        } catch (Throwable e) {
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
