package io.sluice.offload;

import io.netty.util.concurrent.Ticker;
import java.time.Duration;

/**
 * The moment by which something must be done.
 *
 * @param nanoTime on the clock
 * @param clock the system's, except in tests
 */
public record Deadline(long nanoTime, Ticker clock) {

    /** A duration from now, on the system's clock. */
    public static Deadline after(Duration time) {
        return after(time, Ticker.systemTicker());
    }

    /** A duration from now. */
    public static Deadline after(Duration time, Ticker clock) {
        return new Deadline(clock.nanoTime() + time.toNanos(), clock);
    }

    /** A moment that does not come: in 146 years. */
    public static Deadline never(Ticker clock) {
        return new Deadline(clock.nanoTime() + Long.MAX_VALUE / 2, clock);
    }

    /** What is left, negative when it has passed, in nanoseconds. */
    public long remainingNanos() {
        return nanoTime - clock.nanoTime();
    }

    /** Whether it has passed. */
    public boolean expired() {
        return remainingNanos() <= 0;
    }

    /** The sooner one of two on the same clock. */
    public Deadline earliest(Deadline other) {
        return nanoTime - other.nanoTime <= 0 ? this : other;
    }
}
