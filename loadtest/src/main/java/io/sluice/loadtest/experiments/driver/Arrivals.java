package io.sluice.loadtest.experiments.driver;

import java.util.SplittableRandom;

/** The gaps between the requests of an open loop. */
@FunctionalInterface
public interface Arrivals {

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
}
