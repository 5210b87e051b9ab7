package io.sluice.loadtest.experiments.slow;

import io.sluice.loadtest.experiments.driver.AnswerClass;
import io.sluice.loadtest.experiments.driver.Answers;
import io.sluice.loadtest.experiments.driver.SlowAttack.Outcome;
import io.sluice.loadtest.experiments.report.Median;
import io.sluice.loadtest.experiments.report.Quantiles;
import io.sluice.loadtest.experiments.report.Series;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** The phases of one attack, or of none: medians of their figures, sums of their errors. */
record SlowAttackResult(String name, List<Phase> phases) {

    /**
     * One phase.
     *
     * @param hello responses to the well-behaved clients
     * @param memory the maximum of the gateway, in bytes
     */
    record Phase(Answers hello, Outcome attackers, long memory) {

        Quantiles latency() {
            return Quantiles.of(hello.latencies(AnswerClass.OK));
        }
    }

    /** A result without phases. */
    SlowAttackResult(String name) {
        this(name, new ArrayList<>());
    }

    Quantiles latency() {
        return Quantiles.ofRounds(phases.stream().map(Phase::latency).toList());
    }

    long failures() {
        return phases.stream().mapToLong(phase -> phase.hello().failures()).sum();
    }

    long connected() {
        return phases.stream().mapToLong(phase -> phase.attackers().connected()).sum();
    }

    long cutOff() {
        return phases.stream().mapToLong(phase -> phase.attackers().lives().getTotalCount()).sum();
    }

    /** The median of the attackers' connection times, in seconds. */
    double life() {
        return Median.of(phases, phase -> Quantiles.of(phase.attackers().lives()).p50() / 1e3);
    }

    long memory() {
        return phases.stream().mapToLong(Phase::memory).max().orElse(0);
    }

    /** The line of all phases in a plot over percentiles. */
    Series percentiles() {
        Histogram all = phases.getFirst().hello().latencies(AnswerClass.OK);
        phases.stream().skip(1).forEach(phase -> all.add(phase.hello().latencies(AnswerClass.OK)));
        return Series.percentiles(name, all);
    }
}
