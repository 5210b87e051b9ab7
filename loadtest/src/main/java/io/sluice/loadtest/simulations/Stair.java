package io.sluice.loadtest.simulations;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One rate of arrival, for a while, and what has come of it so far. Safe for all threads.
 *
 * <p>Its requests are counted against all that will come at this rate, so that it is broken as soon as
 * nothing can mend it any more: a 99th percentile is exceeded when one in a hundred takes longer. Then the
 * run ends, and what ends with it does not count.
 */
final class Stair {

    private static final double BEYOND_P99 = 0.01;

    private final int rate;
    private final double requests;
    private final Thresholds thresholds;
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong late = new AtomicLong();

    /** @param rate arrivals a second */
    Stair(int rate, Duration length, Thresholds thresholds) {
        this.rate = rate;
        this.requests = rate * length.toMillis() / 1_000.0;
        this.thresholds = thresholds;
    }

    int rate() {
        return rate;
    }

    String name() {
        return String.format(Locale.ROOT, "%,d/s", rate);
    }

    void failed() {
        if (!isBroken()) {
            failed.incrementAndGet();
        }
    }

    void answered(Duration took) {
        if (!isBroken() && thresholds.p99().filter(limit -> took.compareTo(limit) >= 0).isPresent()) {
            late.incrementAndGet();
        }
    }

    boolean isBroken() {
        return late.get() > BEYOND_P99 * requests
                || thresholds.errorRatio().isPresent()
                && failed.get() > thresholds.errorRatio().getAsDouble() * requests;
    }

    /** What speaks against it. */
    String why() {
        var slow = thresholds.p99().map(limit -> String.format(Locale.ROOT,
                ", %,d took %s or longer", late.get(), TimeSpan.text(limit))).orElse("");
        return String.format(Locale.ROOT, "of %,.0f requests %,d failed%s", requests, failed.get(), slow);
    }
}
