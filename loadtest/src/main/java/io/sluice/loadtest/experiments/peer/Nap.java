package io.sluice.loadtest.experiments.peer;

import java.util.concurrent.TimeUnit;

/** H2's function that sleeps, as exact as the gateway's, whose code is not here. */
public final class Nap {

    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    /** What timers were late by the last times, smoothed, in nanoseconds; at most a millisecond. */
    private static volatile long timersAreLateBy;

    private Nap() {}

    /** Sleeps for so long on average: what timers are late by is taken off. */
    public static void sleep(long millis) throws InterruptedException {
        long lateBy = timersAreLateBy;
        long nanos = Math.max(0, TimeUnit.MILLISECONDS.toNanos(millis) - lateBy);
        long start = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(nanos); // to sleep is what it is for
        long late = Math.min(System.nanoTime() - start - nanos, MILLI);
        timersAreLateBy = lateBy + (late - lateBy) / 16;
    }
}
