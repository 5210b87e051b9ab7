package io.sluice.loadtest.experiments.hostile;

import io.sluice.loadtest.experiments.driver.AnswerClass;
import io.sluice.loadtest.experiments.driver.Answers;
import io.sluice.loadtest.experiments.report.Quantiles;
import io.sluice.loadtest.experiments.report.Series;

/**
 * What one attack cost, and did.
 *
 * @param alone the neighbour's answers before it
 * @param beside the neighbour's answers during it
 * @param sentBytes by the attacker
 * @param cutOff connections of the attacker that the gateway ended
 * @param residentBytes of the gateway, at most
 * @param descriptors of the gateway, at most
 * @param state of the gateway in the end: {@code lives}, or how it ended
 */
record AttackResult(Attack attack, Answers alone, Answers beside, long sentBytes, long connections,
        long cutOff, long residentBytes, long descriptors, String state) {

    static Quantiles latency(Answers answers) {
        return Quantiles.of(answers.latencies(AnswerClass.OK));
    }

    /** The neighbour's requests that were turned away. */
    long refused() {
        return beside.count(AnswerClass.REFUSED) + beside.count(AnswerClass.LATE);
    }

    /** The neighbour's requests that were answered with anything else, or not at all. */
    long failed() {
        return beside.errors();
    }

    boolean survived() {
        return state.equals("lives");
    }

    Series line() {
        return Series.percentiles(attack.toString(), beside.latencies(AnswerClass.OK));
    }
}
