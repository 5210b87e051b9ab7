package io.sluice.offload;

/**
 * How long tasks run: a moving mean, and how far they stray from it, smoothed as RFC 6298 smooths
 * round-trip times, over more of them. A mean that is too low for a moment lets in a whole queue of tasks
 * that then miss their deadlines, so it must not jump. Not safe for threads.
 */
final class RunTimes {
    private static final int MEMORY = 512;

    private int count;
    private double mean;
    private double deviation;

    /** What a task took that came to its end. */
    void completed(long nanos) {
        count = Math.min(count + 1, MEMORY);
        if (count > 1) {
            deviation += (Math.abs(nanos - mean) - deviation) / count;
        }
        mean += (nanos - mean) / count;
    }

    /**
     * How long a task had run when it was cut off: it would have taken longer, so it counts only where it
     * says that the mean is too low. Taken for its run time it would make room for more tasks to be cut off.
     */
    void cutOff(long nanos) {
        if (nanos > mean) {
            completed(nanos);
        }
    }

    /** Whether nothing is known yet. */
    boolean unknown() {
        return count == 0;
    }

    /** Nanoseconds; 0 before the first. */
    double mean() {
        return mean;
    }

    /** The mean distance from the mean, in nanoseconds. */
    double deviation() {
        return deviation;
    }
}
