package io.sluice.loadtest.experiments.report;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/** Quantiles of latencies in ms; NaN if there were none. */
public record Quantiles(double p50, double p95, double p99, double max) {

    private static final double NANOS_PER_MILLI = 1e6;

    /** The quantiles of latencies in nanoseconds. */
    public static Quantiles of(Histogram nanos) {
        return new Quantiles(at(nanos, 50), at(nanos, 95), at(nanos, 99), at(nanos, 100));
    }

    private static double at(Histogram nanos, double percentile) {
        return nanos.getTotalCount() == 0
                ? Double.NaN
                : nanos.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
    }

    /** The median of each quantile over some rounds, and the largest of the maxima. */
    public static Quantiles ofRounds(List<Quantiles> rounds) {
        return new Quantiles(median(rounds, Quantiles::p50), median(rounds, Quantiles::p95),
                median(rounds, Quantiles::p99),
                rounds.stream().mapToDouble(Quantiles::max).max().orElse(Double.NaN));
    }

    private static double median(List<Quantiles> rounds, ToDoubleFunction<Quantiles> quantile) {
        return Median.of(rounds, quantile);
    }

    /** The spread: p99 / p50. */
    public double spread() {
        return p99 / p50;
    }
}
