package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.driver.AnswerClass;
import io.sluice.loadtest.experiments.driver.Answers;
import java.time.Duration;

/**
 * One measured phase of one variant.
 *
 * @param processorTime that the server used in it
 * @param allocatedPerSecond on the server's heap, in bytes; NaN where it is not known
 */
record Round(Answers answers, Duration processorTime, double allocatedPerSecond) {

    double perSecond() {
        return answers.perSecond(AnswerClass.OK);
    }

    /** Processor time of the gateway for each answer, in microseconds. */
    double microsPerRequest() {
        return processorTime.toNanos() / 1e3 / answers.count();
    }

    /** Bytes that the server allocates on its heap for each answer. */
    double allocatedPerRequest() {
        return allocatedPerSecond / perSecond();
    }
}
