package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.bench.VariantResult;
import io.sluice.loadtest.experiments.driver.AnswerClass;
import io.sluice.loadtest.experiments.report.Axis;
import io.sluice.loadtest.experiments.report.Median;
import io.sluice.loadtest.experiments.report.Series;
import io.sluice.loadtest.experiments.report.SvgPlot;
import io.sluice.loadtest.experiments.server.Variant;
import java.util.List;

/** The rounds of one server: medians of their figures, sums of their errors. */
record PeerResult(Variant variant, List<PeerRound> rounds) {

    private static final double NANOS_PER_MILLI = 1e6;

    String name() {
        return variant.name();
    }

    /** The figures that every server has. */
    VariantResult times() {
        return new VariantResult(variant, rounds.stream().map(PeerRound::round).toList());
    }

    /** The share of requests with the expected response, over all rounds. */
    double success() {
        long answered = rounds.stream()
                .mapToLong(round -> round.round().answers().count(AnswerClass.OK)).sum();
        return (double) answered / (answered + times().failures());
    }

    /** The mean latency of one kind of request in ms; NaN if there were none. */
    double mean(String kind) {
        return Median.of(rounds, round -> {
            var latencies = round.round().answers().latencies(kind, AnswerClass.OK);
            return latencies.getTotalCount() == 0 ? Double.NaN : latencies.getMean() / NANOS_PER_MILLI;
        });
    }

    /** Requests without a response at the end of a closed loop, which are in no other figure. */
    double inFlight() {
        return Median.of(rounds, round -> round.round().answers().inFlight());
    }

    double residentBytes() {
        return Median.of(rounds, PeerRound::residentBytes);
    }

    double threads() {
        return Median.of(rounds, PeerRound::threads);
    }

    /** A panel with the latencies of one kind of request, with a line for each server. */
    static SvgPlot.Panel panel(List<PeerResult> results, String kind, String title) {
        var lines = results.stream().map(result -> result.times().percentiles(kind)).toList();
        return new SvgPlot.Panel(Axis.percentiles(),
                Axis.logarithmic(title, Series.smallestOf(lines), Series.largestOf(lines)), lines);
    }
}
