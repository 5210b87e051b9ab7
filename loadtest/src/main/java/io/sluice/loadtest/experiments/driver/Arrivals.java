package io.sluice.loadtest.experiments.driver;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The gaps between the requests of an open loop. */
@FunctionalInterface
public interface Arrivals {

    /** A gap in nanoseconds that is longer than any load. */
    long NEVER = TimeUnit.DAYS.toNanos(1);

    /** Nanoseconds from one intended send time to the next. */
    long gap();

    /** Evenly spaced. */
    static Arrivals steady(double perSecond) {
        var gap = Math.round(1e9 / perSecond);
        return () -> gap;
    }

    /** The arrivals of independent users (a Poisson process), with the same gaps in every run. */
    static Arrivals independent(double perSecond) {
        var chance = new SplittableRandom(1);
        return () -> Math.round(-Math.log(1 - chance.nextDouble()) * 1e9 / perSecond);
    }

    /** Evenly spaced, and none after a number of requests. */
    static Arrivals few(int requests, double perSecond) {
        var steady = steady(perSecond);
        var left = new AtomicInteger(requests);
        return () -> left.getAndDecrement() > 0 ? steady.gap() : NEVER;
    }
}
