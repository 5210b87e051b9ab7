package io.sluice.offload;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** The arrivals and the busy workers of a pool over the last ten seconds. Not thread-safe. */
final class LoadWindow {
    private static final int SLOTS = 10;
    private static final long SLOT = TimeUnit.SECONDS.toNanos(1);

    private final long start;
    /** Ring buffers with a slot for each second since the start; {@code worked} is in nanoseconds of work. */
    private final long[] arrived = new long[SLOTS];
    private final long[] worked = new long[SLOTS];
    private long second;
    /** The time until which {@link #worked} has been counted. */
    private long counted;
    private int busy;

    LoadWindow(long now) {
        start = now;
        counted = now;
    }

    /** Counts a task, accepted or refused. */
    void arrived(long now) {
        count(now);
        arrived[slot()]++;
    }

    /** Sets the number of busy workers from now on. */
    void busy(long now, int workers) {
        count(now);
        busy = workers;
    }

    /** Returns the arrivals in tasks per second. */
    double arrivals(long now) {
        count(now);
        return Arrays.stream(arrived).sum() / seconds();
    }

    /** Returns the average number of busy workers. */
    double meanBusy(long now) {
        count(now);
        return Arrays.stream(worked).sum() / (double) SLOT / seconds();
    }

    /**
     * Advances to a time. Callers read it before they lock the pool, so an earlier time counts as the latest.
     */
    private void count(long time) {
        long now = time - counted > 0 ? time : counted;
        long last = (now - start) / SLOT;
        if (last - second >= SLOTS) {
            // No event within the window: all counts are too old.
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

    /** Returns the seconds that the ring covers: whole slots and the elapsed part of the current one. */
    private double seconds() {
        long sinceStart = counted - start;
        long covered = (Math.min(second, SLOTS - 1) * SLOT) + sinceStart % SLOT;
        return Math.max(covered, SLOT / 1000) / (double) SLOT;
    }
}
