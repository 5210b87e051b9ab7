package io.sluice.handlers.upstream;

import io.sluice.config.type.Share;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Limits the concurrent retries of an upstream to a share of its requests, so that retries do not multiply
 * the load when every request fails. Retries after a connection that could not be opened are not counted, nor
 * those of requests that were lost with one connection of HTTP/2. Thread-safe.
 */
public final class RetryBudget {
    /** The number of retries that are allowed in any case. */
    private static final int LEAST = 3;

    private final Share share;
    private final LongSupplier requests;
    private final AtomicInteger running = new AtomicInteger();
    private final LongAdder begun = new LongAdder();
    private final LongAdder refused = new LongAdder();

    /**
     * Creates a budget.
     *
     * @param requests the number of requests in flight
     */
    RetryBudget(Share share, LongSupplier requests) {
        this.share = share;
        this.requests = requests;
    }

    /** Returns whether another retry may begin; if so, {@link #end()} must follow. */
    public boolean begin() {
        if (running.incrementAndGet() > Math.max(LEAST, share.of(requests.getAsLong()))) {
            running.decrementAndGet();
            refused.increment();
            return false;
        }
        begun.increment();
        return true;
    }

    /** Called when a retry has ended. */
    public void end() {
        running.decrementAndGet();
    }

    /** Returns how many retries have begun. */
    public long begun() {
        return begun.sum();
    }

    /** Returns how many retries were refused. */
    public long refused() {
        return refused.sum();
    }
}
