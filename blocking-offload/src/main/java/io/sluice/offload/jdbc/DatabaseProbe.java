package io.sluice.offload.jdbc;

import io.sluice.config.DatabaseConfig;
import io.sluice.offload.Guard;
import io.sluice.offload.LocalShortage;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Probes a database every few seconds over a connection of its own, as a pool whose connections are all busy
 * does not mean that the database is unreachable. Only the probe's thread waits for a database that accepts
 * connections and does not answer.
 */
final class DatabaseProbe implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DatabaseProbe.class);
    private static final int VALID_WITHIN_SECONDS = 2;
    /**
     * If a validation fails sooner, the connection was closed by the other end: other connections are closed,
     * too, or notice it by themselves.
     */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(VALID_WITHIN_SECONDS) / 2;

    private final String name;
    private final DatabaseLogin login;
    private final Duration interval;
    /** The longest duration of a probe, unless the driver ignores its timeouts. */
    private final Duration patience;
    private final Guard guard;
    private final RareWarning shortages = new RareWarning();
    private final ScheduledExecutorService thread;
    private final CompletableFuture<?> first;
    private final long startedAt = System.nanoTime();
    private volatile boolean reachable;
    private volatile long answeredAt = System.nanoTime();
    /** The fields below are confined to the probe's thread. */
    private Consumer<Boolean> onChange = _ -> { };
    private Runnable onLost = () -> { };
    private @Nullable Connection connection;
    private boolean trusted;
    /** Indicates whether {@link #onChange} has got the value of {@link #trusted}. */
    private boolean changeReported;
    private boolean probedBefore;
    private long probedAt = System.nanoTime();

    /** Begins to probe once. */
    DatabaseProbe(String name, DatabaseConfig config) {
        this.name = name;
        guard = new Guard(log, "the probe of database " + name + " failed; it is repeated");
        login = new DatabaseLogin(config, "sluice-" + name + "-probe");
        interval = config.probeInterval();
        thread = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("probe-" + name).daemon().factory());
        patience = config.connectionTimeout().plusSeconds(VALID_WITHIN_SECONDS);
        first = CompletableFuture.runAsync(this::probe, thread);
    }

    /** Waits for the first result, until {@link #patience} has passed since the beginning. Blocks. */
    void awaitFirst() {
        if (!isDoneWithin(patience.minusNanos(System.nanoTime() - startedAt), first)) {
            log.warn("database {} has not answered yet", name);
        }
    }

    /**
     * Probes at every interval from now on.
     *
     * @param onChange called on the probe's thread with whether connections can be trusted and more can be
     *     made: at first, and when that changes; false and then true if the probe's own connection had become
     *     silent
     * @param onLost called on the probe's thread when the other end has closed the probe's own connection
     */
    void watch(Consumer<Boolean> onChange, Runnable onLost) {
        thread.execute(() -> {
            this.onChange = onChange;
            this.onLost = onLost;
            changeReported = false;
            trust(trusted);
        });
        thread.scheduleWithFixedDelay(() -> guard.run(this::probe), interval.toMillis(), interval.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** Returns the result of the last probe. Any thread. */
    boolean reachable() {
        return reachable;
    }

    /** Probes soon, not at the next interval; once, however many workers report a failure. Does not block. */
    void probeSoon() {
        CompletableFuture<?> _ = probeAgain();
    }

    /** Probes now, and returns the result. Blocks. */
    boolean probeNow() {
        return isDoneWithin(patience, probeAgain()) && reachable;
    }

    private CompletableFuture<?> probeAgain() {
        long since = System.nanoTime();
        try {
            return CompletableFuture.runAsync(() -> {
                if (reachable && probedAt - since < 0) {
                    guard.run(this::probe);
                }
            }, thread);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(null); // closed
        }
    }

    /** Records an answer of the database to another connection: if the probe gets none, it is only slow. */
    void answered() {
        answeredAt = System.nanoTime();
    }

    private void probe() {
        probedAt = System.nanoTime();
        Throwable failure = null;
        try {
            if (connection != null && !connection.isValid(VALID_WITHIN_SECONDS)) {
                disconnect();
                if (System.nanoTime() - probedAt <= SILENCE_NANOS) {
                    guard.run(onLost);
                } else if (gotNoAnswer()) {
                    trust(false); // other connections may be as dead as this one, unnoticed
                }
            }
            if (connection == null) {
                connection = login.getConnection();
            }
        } catch (Throwable e) { // also an Error, which would end the schedule
            disconnect();
            if (LocalShortage.is(e)) {
                warn(e);
                return; // says nothing about the database: the last result stays
            }
            failure = isBusy(e) || !gotNoAnswer() ? null : e;
        }
        record(failure);
        trust(failure == null);
    }

    private boolean gotNoAnswer() {
        return answeredAt - probedAt <= 0;
    }

    private void trust(boolean connections) {
        if (connections != trusted || !changeReported) {
            trusted = connections;
            // If this fails, the next probe reports it again.
            changeReported = guard.run(() -> onChange.accept(connections));
        }
    }

    /** A database that refuses one more connection, SQLSTATE class 53, is reachable. */
    private static boolean isBusy(Throwable e) {
        return e instanceof SQLException sql && sql.getSQLState() != null
                && sql.getSQLState().startsWith("53");
    }

    private void warn(Throwable shortage) {
        if (shortages.tryTake()) {
            log.warn("database {} cannot be probed, as this process is short of descriptors, threads, ports "
                    + "or memory: {}; it counts as {} as before (ulimit -n and -u, -XX:MaxDirectMemorySize)",
                    name, shortage.toString(), reachable ? "reachable" : "unreachable");
        }
    }

    private void record(@Nullable Throwable failure) {
        boolean before = reachable;
        reachable = failure == null;
        if (failure != null && (before || !probedBefore)) {
            log.warn("database {} cannot be reached: {}", name, failure.toString());
        } else if (failure == null && !before && probedBefore) {
            log.info("database {} can be reached again", name);
        }
        probedBefore = true;
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
            thread.shutdown(); // runs the tasks that are queued, but no further probe
            isDoneWithin(Duration.ofSeconds(VALID_WITHIN_SECONDS), disconnected);
        }
    }
}
