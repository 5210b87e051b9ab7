package io.sluice.loadtest.experiments.report;

/**
 * A figure that an experiment should reach.
 *
 * @param what the figure and its expected value
 * @param measured the measured value
 */
public record Goal(String what, String measured, boolean reached) {

    /** A figure that must not be below a bound; an unknown one misses the goal. */
    public static Goal atLeast(double bound, String what, double measured) {
        return new Goal("%s: at least %s".formatted(what, Figure.ratio(bound)), Figure.precise(measured),
                measured >= bound);
    }

    /** A figure that must not be above a bound; an unknown one misses the goal. */
    public static Goal atMost(double bound, String what, double measured) {
        return new Goal("%s: at most %s".formatted(what, Figure.ratio(bound)), Figure.precise(measured),
                measured <= bound);
    }

    @Override
    public String toString() {
        return "%s, measured %s: %s".formatted(what, measured, reached ? "reached" : "missed");
    }
}
