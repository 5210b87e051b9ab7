package io.sluice.offload;

/**
 * The run times of tasks: a moving mean and mean deviation, smoothed as RFC 6298 smooths round-trip times,
 * but over more samples. The mean must not jump: when it is too low for a moment, a whole queue of tasks is
 * admitted that then miss their deadlines. Not thread-safe.
 */
final class RunTimes {
    private static final int MEMORY = 512;

    private int count;
    private double mean;
    private double deviation;

    /** Adds the run time of a completed task. */
    void completed(long nanos) {
        count = Math.min(count + 1, MEMORY);
        if (count > 1) {
            deviation += (Math.abs(nanos - mean) - deviation) / count;
        }
        mean += (nanos - mean) / count;
    }

    /**
     * Adds the time after which a running task was cancelled. The task would have taken longer, so the time
     * counts only if it is above the mean. As a run time, it would lower the mean and admit more tasks to be
     * cancelled.
     */
    void cutOff(long nanos) {
        if (nanos > mean) {
            completed(nanos);
        }
    }

    /** Returns whether no task has been measured yet. */
    boolean unknown() {
        return count == 0;
    }

    /** Returns the mean in nanoseconds; 0 before the first task. */
    double mean() {
        return mean;
    }

    /** Returns the mean deviation from the mean, in nanoseconds. */
    double deviation() {
        return deviation;
    }
}
