package io.sluice.offload;

import io.netty.util.concurrent.Ticker;
import java.time.Duration;

/**
 * The point in time by which a task must be done.
 *
 * @param nanoTime in nanoseconds of the clock
 * @param clock the system's, except in tests
 */
public record Deadline(long nanoTime, Ticker clock) {

    /** Returns a deadline that is a duration from now, on the system's clock. */
    public static Deadline after(Duration time) {
        return after(time, Ticker.systemTicker());
    }

    /** Returns a deadline that is a duration from now. */
    public static Deadline after(Duration time, Ticker clock) {
        return new Deadline(clock.nanoTime() + time.toNanos(), clock);
    }

    /** Returns a deadline that never passes: it is in 146 years. */
    public static Deadline never(Ticker clock) {
        return new Deadline(clock.nanoTime() + Long.MAX_VALUE / 2, clock);
    }

    /** Returns the remaining time in nanoseconds; negative when it has passed. */
    public long remainingNanos() {
        return nanoTime - clock.nanoTime();
    }

    /** Returns whether the deadline has passed. */
    public boolean expired() {
        return remainingNanos() <= 0;
    }

    /** Returns the earlier of two deadlines on the same clock. */
    public Deadline earliest(Deadline other) {
        return nanoTime - other.nanoTime <= 0 ? this : other;
    }
}
