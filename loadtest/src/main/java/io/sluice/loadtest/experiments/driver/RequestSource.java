package io.sluice.loadtest.experiments.driver;

import java.util.List;
import java.util.SplittableRandom;

/** Supplies the requests of one load, on its event loop. */
@FunctionalInterface
public interface RequestSource {

    /** The next request, for any connection. */
    Request next();

    /** Chooses one of the requests at random each time, in the same order in every run. */
    static RequestSource anyOf(List<Request> requests) {
        var chance = new SplittableRandom(1);
        return () -> requests.get(chance.nextInt(requests.size()));
    }

    /**
     * Mixes two kinds of requests at random, in the same order in every run.
     *
     * @param share of the second kind, 0 to 1
     */
    static RequestSource mix(Request often, Request seldom, double share) {
        var chance = new SplittableRandom(1);
        return () -> chance.nextDouble() < share ? seldom : often;
    }
}
