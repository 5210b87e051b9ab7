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

/** All phases of one attack, or of none: medians of their figures, sums of what went wrong. */
record SlowAttackResult(String name, List<Phase> phases) {

    /**
     * One of them.
     *
     * @param hello how those fared who attack nobody
     * @param memory of the gateway, in bytes, at most
     */
    record Phase(Answers hello, Outcome attackers, long memory) {

        Quantiles latency() {
            return Quantiles.of(hello.latencies(AnswerClass.OK));
        }
    }

    /** Nothing yet. */
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

    /** How long half of the attackers were there at most, in seconds. */
    double life() {
        return Median.of(phases, phase -> Quantiles.of(phase.attackers().lives()).p50() / 1e3);
    }

    long memory() {
        return phases.stream().mapToLong(Phase::memory).max().orElse(0);
    }

    /** Its line in a plot over percentiles, of all phases together. */
    Series percentiles() {
        Histogram all = phases.getFirst().hello().latencies(AnswerClass.OK);
        phases.stream().skip(1).forEach(phase -> all.add(phase.hello().latencies(AnswerClass.OK)));
        return Series.percentiles(name, all);
    }
}
