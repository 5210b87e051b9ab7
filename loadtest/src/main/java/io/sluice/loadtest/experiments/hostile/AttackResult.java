package io.sluice.loadtest.experiments.hostile;

import io.sluice.loadtest.experiments.driver.AnswerClass;
import io.sluice.loadtest.experiments.driver.Answers;
import io.sluice.loadtest.experiments.report.Quantiles;
import io.sluice.loadtest.experiments.report.Series;

/**
 * The cost and the effect of one attack.
 *
 * @param alone responses to the neighbour before it
 * @param beside responses to the neighbour during it
 * @param sentBytes by the attacker
 * @param cutOff connections of the attacker that the gateway closed
 * @param residentBytes the maximum of the gateway
 * @param descriptors the maximum of the gateway
 * @param state of the gateway at the end: {@code lives}, or how it ended
 */
record AttackResult(Attack attack, Answers alone, Answers beside, long sentBytes, long connections,
        long cutOff, long residentBytes, long descriptors, String state) {

    static Quantiles latency(Answers answers) {
        return Quantiles.of(answers.latencies(AnswerClass.OK));
    }

    /** The number of the neighbour's requests that were rejected. */
    long refused() {
        return beside.count(AnswerClass.REFUSED) + beside.count(AnswerClass.LATE);
    }

    /** The number of the neighbour's requests with another response, or none. */
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
