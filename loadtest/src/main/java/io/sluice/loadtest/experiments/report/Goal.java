package io.sluice.loadtest.experiments.report;

/**
 * A figure that an experiment should reach.
 *
 * @param what it is and what was expected of it
 * @param measured what came out
 */
public record Goal(String what, String measured, boolean reached) {

    /** That is not to be below a bound; what was not seen is. */
    public static Goal atLeast(double bound, String what, double measured) {
        return new Goal("%s: at least %s".formatted(what, Figure.ratio(bound)), Figure.precise(measured),
                measured >= bound);
    }

    /** That is not to be above a bound; what was not seen is. */
    public static Goal atMost(double bound, String what, double measured) {
        return new Goal("%s: at most %s".formatted(what, Figure.ratio(bound)), Figure.precise(measured),
                measured <= bound);
    }

    @Override
    public String toString() {
        return "%s, measured %s: %s".formatted(what, measured, reached ? "reached" : "missed");
    }
}
