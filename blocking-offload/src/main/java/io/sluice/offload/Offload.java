package io.sluice.offload;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.PoolConfig;

/**
 * Runs work that may block, away from whoever asks for it. Work-conserving but for a reserve: no task waits
 * while a worker is free, unless its client has more than its share and the free worker is kept for others.
 * May be called from any thread and never blocks.
 */
public interface Offload extends AutoCloseable {

    /** Starts what a configuration asks for, with threads named after the pool. */
    static Offload start(String pool, PoolConfig config, PoolObserver observer) {
        return start(pool, config, observer, Ticker.systemTicker());
    }

    /**
     * Starts one with a clock of a test's.
     *
     * @param clock that of all deadlines and homes, too
     */
    static Offload start(String pool, PoolConfig config, PoolObserver observer, Ticker clock) {
        return new OffloadPool(pool, config, observer, clock);
    }

    /** Hands over work that no client has asked for. */
    default <T> Future<T> submit(Deadline deadline, EventExecutor home, Work<T> work) {
        return submit(null, deadline, home, work);
    }

    /**
     * Hands work over.
     *
     * @param client for whom it is done: one client holds no more than its share of the workers while tasks
     *     of others wait; null where no client has asked for it
     * @param deadline when the work is cancelled; work that waits is then never started
     * @param home where listeners of the returned future are called, such as the caller's event loop
     * @return the work's result or exception; an {@link OffloadException} where it was not done; cancel
     *     it to take the work out of the queue, or end it where it runs; a result that comes too late
     *     is released if it is reference-counted
     */
    <T> Future<T> submit(ClientNetwork client, Deadline deadline, EventExecutor home, Work<T> work);

    /** The state right now. */
    OffloadStats stats();

    /** Refuses what comes, cancels what waits and what runs, and returns when the workers have ended. */
    @Override
    void close();
}
