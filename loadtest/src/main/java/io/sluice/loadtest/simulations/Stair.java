package io.sluice.loadtest.simulations;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One step of the arrival rate, and its results so far. Thread-safe.
 *
 * <p>Results are judged against the total number of requests at this rate, so that the step fails as soon as
 * its limits can no longer be met: a 99th percentile is exceeded once one request in a hundred has taken
 * longer. The run ends then, and requests that are cut off do not count.
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

    /** The cause of the step's failure. */
    String why() {
        var slow = thresholds.p99().map(limit -> String.format(Locale.ROOT,
                ", %,d took %s or longer", late.get(), TimeSpan.text(limit))).orElse("");
        return String.format(Locale.ROOT, "of %,.0f requests %,d failed%s", requests, failed.get(), slow);
    }
}
