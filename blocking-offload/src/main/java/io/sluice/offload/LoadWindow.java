package io.sluice.offload;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** What came to a pool and how many workers it kept busy, over the last ten seconds. Not safe for threads. */
final class LoadWindow {
    private static final int SLOTS = 10;
    private static final long SLOT = TimeUnit.SECONDS.toNanos(1);

    private final long start;
    /** A ring: by seconds since the start. */
    private final long[] arrived = new long[SLOTS];
    private final long[] worked = new long[SLOTS];
    private long second;
    /** Up to when {@link #worked} has been counted. */
    private long counted;
    private int busy;

    LoadWindow(long now) {
        start = now;
        counted = now;
    }

    /** A task came, taken or not. */
    void arrived(long now) {
        count(now);
        arrived[slot()]++;
    }

    /** So many workers are busy from now on. */
    void busy(long now, int workers) {
        count(now);
        busy = workers;
    }

    /** Tasks a second. */
    double arrivals(long now) {
        count(now);
        return Arrays.stream(arrived).sum() / seconds();
    }

    /** Workers that were busy, on average. */
    double meanBusy(long now) {
        count(now);
        return Arrays.stream(worked).sum() / (double) SLOT / seconds();
    }

    /** Clocks are read before the pool's lock is taken: an earlier time counts as the latest one. */
    private void count(long time) {
        long now = time - counted > 0 ? time : counted;
        long last = (now - start) / SLOT;
        if (last - second >= SLOTS) {
            // Nothing has changed for so long that what was counted before is of no interest any more.
            Arrays.fill(arrived, 0);
            Arrays.fill(worked, busy * SLOT);
            second = last;
            worked[slot()] = 0;
            counted = start + second * SLOT;
        }
        while (second < last) {
            long end = start + (second + 1) * SLOT;
            work(end);
            second++;
            arrived[slot()] = 0;
            worked[slot()] = 0;
        }
        work(now);
    }

    private void work(long until) {
        worked[slot()] += busy * (until - counted);
        counted = until;
    }

    private int slot() {
        return (int) (second % SLOTS);
    }

    /** How long the ring covers: its whole slots and what has passed of the current one. */
    private double seconds() {
        long sinceStart = counted - start;
        long covered = (Math.min(second, SLOTS - 1) * SLOT) + sinceStart % SLOT;
        return Math.max(covered, SLOT / 1000) / (double) SLOT;
    }
}
