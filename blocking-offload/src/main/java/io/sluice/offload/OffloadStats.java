package io.sluice.offload;

import java.time.Duration;

/**
 * A snapshot of a pool.
 *
 * @param workers the number of workers
 * @param busy the number of running tasks
 * @param queued the number of waiting tasks
 * @param meanRunTime moving mean over the last tasks; zero before the first
 * @param arrivals tasks per second in the last ten seconds, refused ones included
 * @param meanBusy the average number of busy workers in the last ten seconds
 */
public record OffloadStats(int workers, int busy, int queued, Duration meanRunTime, double arrivals,
                           double meanBusy) {

    /** Returns the pool's capacity in tasks per second, by Little's law; 0 before the first task. */
    public double capacity() {
        return meanRunTime.isZero() ? 0 : workers * 1e9 / meanRunTime.toNanos();
    }
}
