package io.sluice.loadtest.experiments.driver;

import java.util.List;
import java.util.SplittableRandom;

/** What to send next; called on the event loop of one load only. */
@FunctionalInterface
public interface RequestSource {

    /** The next request, of whichever connection. */
    Request next();

    /** One of these each time, by chance; the same order in every run. */
    static RequestSource anyOf(List<Request> requests) {
        var chance = new SplittableRandom(1);
        return () -> requests.get(chance.nextInt(requests.size()));
    }

    /**
     * Two kinds by chance, in the same order in every run.
     *
     * @param share of the second kind, 0..1
     */
    static RequestSource mix(Request often, Request seldom, double share) {
        var chance = new SplittableRandom(1);
        return () -> chance.nextDouble() < share ? seldom : often;
    }
}
