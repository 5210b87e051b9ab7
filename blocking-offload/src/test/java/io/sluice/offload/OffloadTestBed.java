package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.PoolConfig;
import java.time.Duration;
import org.awaitility.core.ThrowingRunnable;

/**
 * Helpers for the parts of the contract: offloads that are closed after the test, a home executor, and waits.
 */
interface OffloadTestBed {
    Duration PATIENCE = Duration.ofSeconds(30);
    Duration LONG = Duration.ofMinutes(10);

    /** Starts an offload that reports to {@link #events()}. */
    default Offload offload(int workers, int queueLimit) {
        return offload(pool(workers, queueLimit, LONG), events());
    }

    default Offload offload(PoolConfig config, PoolObserver observer) {
        return offload(config, observer, Ticker.systemTicker());
    }

    /** Starts an offload with the given clock. The deadlines of its tasks must use the same clock. */
    Offload offload(PoolConfig config, PoolObserver observer, Ticker clock);

    /** Returns the kind of threads that the pools under test have. */
    PoolConfig.Kind kind();

    default PoolConfig pool(int workers, int queueLimit, Duration deadline) {
        return PoolConfig.of(kind(), workers, queueLimit, deadline);
    }

    CountingObserver events();

    EventExecutor home();

    /** Returns new work that is ended after the test at the latest. */
    Gate gate();

    /** Submits a task with a deadline that does not pass during the test. */
    default <T> Future<T> submit(Offload offload, Work<T> work) {
        return offload.submit(Deadline.after(LONG), home(), work);
    }

    /** Occupies one worker, and returns the work that it runs. */
    default Gate occupy(Offload offload) throws InterruptedException {
        Gate gate = gate();
        submit(offload, gate);
        return gate.awaitEntered();
    }

    default <T> T result(Future<T> future) throws InterruptedException {
        awaitDone(future);
        assertThat(future.cause()).isNull();
        return future.getNow();
    }

    default void assertResult(Future<?> future, Object expected) throws InterruptedException {
        assertThat((Object) result(future)).isEqualTo(expected);
    }

    default Throwable failure(Future<?> future) throws InterruptedException {
        awaitDone(future);
        assertThat(future.cause()).as("failure").isNotNull();
        return future.cause();
    }

    private static void awaitDone(Future<?> future) throws InterruptedException {
        assertThat(future.await(PATIENCE.toMillis())).as("the future completes").isTrue();
    }

    default void eventually(ThrowingRunnable assertion) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(2)).untilAsserted(assertion);
    }

    default void eventuallyIdle(Offload offload) {
        eventually(() -> {
            assertThat(offload.stats().busy()).as("busy").isZero();
            assertThat(offload.stats().queued()).as("queued").isZero();
        });
    }
}
