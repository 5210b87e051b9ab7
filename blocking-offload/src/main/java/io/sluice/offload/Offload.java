package io.sluice.offload;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.PoolConfig;
import org.jspecify.annotations.Nullable;

/**
 * A pool that runs blocking tasks, so that event loops do not block. Work-conserving except for a reserve: a
 * task waits despite a free worker only if its client has more than its share, and the worker is reserved for
 * other clients. All methods but {@link #close} may be called on any thread and never block.
 */
public interface Offload extends AutoCloseable {

    /** Starts a pool, with threads named after it. */
    static Offload start(String pool, PoolConfig config, PoolObserver observer) {
        return start(pool, config, observer, Ticker.systemTicker());
    }

    /**
     * Starts a pool with a clock for tests.
     *
     * @param clock the clock that deadlines and home executors must have, too
     */
    static Offload start(String pool, PoolConfig config, PoolObserver observer, Ticker clock) {
        return new OffloadPool(pool, config, observer, clock);
    }

    /** Submits work of the gateway itself, without a client. */
    default <T extends @Nullable Object> Future<T> submit(Deadline deadline, EventExecutor home,
                                                          Work<T> work) {
        return submit(null, deadline, home, work);
    }

    /**
     * Submits work.
     *
     * @param client the client that requested the work, which gets no more than its share of the workers
     *     while tasks of others wait; null for work of the gateway itself
     * @param deadline the time at which the work is cancelled; if it still waits then, it never starts
     * @param home the executor of the future's listeners, such as the caller's event loop
     * @return the work's result or exception, or an {@link OffloadException} if it was not done. Cancelling
     *     the future removes the work from the queue, or ends it while it runs. A reference-counted result
     *     that comes after that is released
     */
    <T extends @Nullable Object> Future<T> submit(@Nullable ClientNetwork client, Deadline deadline,
                                                  EventExecutor home, Work<T> work);

    /** Returns the current state. */
    OffloadStats stats();

    /** Refuses new tasks, cancels all others, and blocks until the workers have ended, 5 s at most. */
    @Override
    void close();
}
