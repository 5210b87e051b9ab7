package io.sluice.loadtest.experiments.bench;

import io.sluice.loadtest.experiments.driver.AnswerClass;
import io.sluice.loadtest.experiments.report.Median;
import io.sluice.loadtest.experiments.report.Quantiles;
import io.sluice.loadtest.experiments.report.Series;
import io.sluice.loadtest.experiments.server.Variant;
import java.util.List;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** The rounds of one variant: medians of their figures, sums of their errors. */
public record VariantResult(Variant variant, List<Round> rounds) {

    public String name() {
        return variant.name();
    }

    public double perSecond() {
        return Median.of(rounds, Round::perSecond);
    }

    /** Bytes in the bodies of the responses. */
    public double bytesPerSecond() {
        return Median.of(rounds, Round::bytesPerSecond);
    }

    public double microsPerRequest() {
        return Median.of(rounds, Round::microsPerRequest);
    }

    /** The median over the rounds of this variant's CPU time divided by another's in the same round. */
    public double processorTimeTo(VariantResult other) {
        return Median.of(IntStream.range(0, rounds.size()).mapToDouble(number -> rounds.get(number)
                .microsPerRequest() / other.rounds.get(number).microsPerRequest()).toArray());
    }

    public double allocatedPerRequest() {
        return Median.of(rounds, Round::allocatedPerRequest);
    }

    /** Requests that were not answered with 200, in all rounds. */
    public long failures() {
        return rounds.stream().mapToLong(round -> round.answers().failures()).sum();
    }

    public Quantiles quantiles() {
        return Quantiles.ofRounds(rounds.stream()
                .map(round -> Quantiles.of(round.answers().latencies(AnswerClass.OK)))
                .toList());
    }

    /** The quantiles of one kind of request. */
    public Quantiles quantiles(String kind) {
        return Quantiles.ofRounds(rounds.stream()
                .map(round -> Quantiles.of(round.answers().latencies(kind, AnswerClass.OK)))
                .toList());
    }

    /** The line of one kind of request in a plot over percentiles, over all rounds. */
    public Series percentiles(String kind) {
        Histogram all = rounds.getFirst().answers().latencies(kind, AnswerClass.OK);
        rounds.stream().skip(1).forEach(round -> all.add(round.answers().latencies(kind, AnswerClass.OK)));
        return Series.percentiles(name(), all);
    }
}
