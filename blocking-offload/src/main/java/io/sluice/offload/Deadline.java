package io.sluice.offload;

import java.time.Duration;

/**
 * The moment by which something must be done.
 *
 * @param nanoTime on the clock of {@link System#nanoTime()}
 */
public record Deadline(long nanoTime) {

    /** So long from now. */
    public static Deadline after(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    /** What is left, negative when it has passed, in nanoseconds. */
    public long remainingNanos() {
        return nanoTime - System.nanoTime();
    }

    /** Whether it has passed. */
    public boolean expired() {
        return remainingNanos() <= 0;
    }

    /** The sooner one. */
    public Deadline earliest(Deadline other) {
        return nanoTime - other.nanoTime <= 0 ? this : other;
    }
}
