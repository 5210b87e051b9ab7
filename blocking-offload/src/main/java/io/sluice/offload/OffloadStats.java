package io.sluice.offload;

import java.time.Duration;

/**
 * A pool at a moment.
 *
 * @param workers tasks that can run at once
 * @param busy tasks that run
 * @param queued tasks that wait
 * @param meanRunTime moving mean over the last tasks; zero before the first
 * @param arrivals tasks a second that came in the last ten seconds, refused ones among them
 * @param meanBusy workers that were busy in the last ten seconds, on average
 */
public record OffloadStats(int workers, int busy, int queued, Duration meanRunTime, double arrivals,
                           double meanBusy) {

    /** Tasks a second that the pool can do, by Little's law; 0 before the first. */
    public double capacity() {
        return meanRunTime.isZero() ? 0 : workers * 1e9 / meanRunTime.toNanos();
    }
}
