package io.sluice.offload;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.QueueConfig;
import org.jspecify.annotations.Nullable;

/**
 * A pool of permits for work that is done elsewhere, such as requests to an upstream, with the queue of
 * {@link Offload}: bounded, with a share for each client, and a refusal at once if the deadline cannot be
 * met. All methods may be called on any thread and never block.
 */
public interface Permits extends AutoCloseable {

    /**
     * Creates a pool.
     *
     * @param pool its description in messages, such as {@code upstream shop}
     */
    static Permits create(String pool, QueueConfig config, PoolObserver observer) {
        return create(pool, config, observer, Ticker.systemTicker());
    }

    /**
     * Creates a pool with a clock for tests.
     *
     * @param clock the clock that deadlines and home executors must have, too
     */
    static Permits create(String pool, QueueConfig config, PoolObserver observer, Ticker clock) {
        return new PermitPool(pool, config, observer, clock);
    }

    /**
     * Asks for a permit.
     *
     * @param client the client that requested the work, which gets no more than its share of the permits
     *     while others wait; null for work of the gateway itself
     * @param deadline the time by which the work must be done; the pool's own deadline may be earlier. It
     *     ends the wait, but not the work
     * @param home the executor on which the waiter is called if it has to wait
     * @return the request, which has been granted or refused already if it does not have to wait
     */
    Acquisition acquire(@Nullable ClientNetwork client, Deadline deadline, EventExecutor home, Waiter waiter);

    /** Returns whether several clients have asked for permits within the last minute. */
    boolean hasSeveralClients();

    /** Returns the current state; a permit that is out is a busy worker. */
    OffloadStats stats();

    /** Refuses new and waiting requests. Permits that are out remain valid until they are released. */
    @Override
    void close();

    /**
     * Receives the outcome of a request. One method is called, once: within {@link #acquire} if the outcome
     * is known at once, otherwise on the home executor; never if that has shut down. If {@link #granted}
     * throws, the permit is given back.
     */
    interface Waiter {

        /** Called when the permit is granted. */
        void granted(Acquisition permit);

        /**
         * Called when no permit is granted.
         *
         * @param reason {@link OffloadException.Refused}, or {@link OffloadException.DeadlineExceeded} if
         *     the deadline passed in the queue
         */
        void refused(OffloadException reason);
    }

    /**
     * A request for a permit, and then the permit. All methods are idempotent. It ends on any thread, by
     * {@link #release} or {@link #cancel}.
     */
    interface Acquisition {

        /**
         * Called by the waiter when a response begins by which the work meets its deadline, although the
         * permit is needed for longer. Otherwise the deadline is met at the release.
         */
        void responded();

        /**
         * Called by the waiter when the response goes on without a deadline. From the pool's deadline on, the
         * permit is taken back if its client holds more than its share while a request of another one waits.
         *
         * @param endWork ends the work, on the home executor, when the permit has been taken back
         */
        void lasts(Runnable endWork);

        /** Gives the permit back after work that ended by itself: its time counts as a run time. */
        void release();

        /**
         * Leaves the queue, or gives the permit back after work that was cut off: its time counts only if it
         * is above the mean. The waiter is not called any more.
         */
        void cancel();
    }
}
