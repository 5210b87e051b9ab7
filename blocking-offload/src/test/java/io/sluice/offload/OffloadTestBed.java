package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.PoolConfig;
import java.time.Duration;
import org.awaitility.core.ThrowingRunnable;

/** What the parts of the contract stand on: offloads that are closed afterwards, a home, and patience. */
interface OffloadTestBed {
    Duration PATIENCE = Duration.ofSeconds(30);
    Duration LONG = Duration.ofMinutes(10);

    /** One that reports to {@link #events()}. */
    default Offload offload(int workers, int queueLimit) {
        return offload(pool(workers, queueLimit, LONG), events());
    }

    default Offload offload(PoolConfig config, PoolObserver observer) {
        return offload(config, observer, Ticker.systemTicker());
    }

    /** One with a clock, which the deadlines of its tasks have to be of. */
    Offload offload(PoolConfig config, PoolObserver observer, Ticker clock);

    /** Of the threads that the pools under test have. */
    PoolConfig.Kind kind();

    default PoolConfig pool(int workers, int queueLimit, Duration deadline) {
        return PoolConfig.of(kind(), workers, queueLimit, deadline);
    }

    CountingObserver events();

    EventExecutor home();

    /** Work that is let go in the end, whatever happens. */
    Gate gate();

    /** Without a deadline that matters. */
    default <T> Future<T> submit(Offload offload, Work<T> work) {
        return offload.submit(Deadline.after(LONG), home(), work);
    }

    /** Occupies one worker. */
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
