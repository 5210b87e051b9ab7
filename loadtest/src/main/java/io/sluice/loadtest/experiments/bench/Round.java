package io.sluice.loadtest.experiments.bench;

import io.sluice.loadtest.experiments.driver.AnswerClass;
import io.sluice.loadtest.experiments.driver.Answers;
import java.time.Duration;

/**
 * One measured phase of one variant.
 *
 * @param processorTime CPU time of the server during the phase
 * @param allocatedPerSecond on the server's heap, in bytes; NaN if it is not known
 */
public record Round(Answers answers, Duration processorTime, double allocatedPerSecond) {

    public double perSecond() {
        return answers.perSecond(AnswerClass.OK);
    }

    public double bytesPerSecond() {
        return answers.bytesPerSecond();
    }

    /** CPU time of the server per response, in microseconds. */
    public double microsPerRequest() {
        return processorTime.toNanos() / 1e3 / answers.count();
    }

    /** Bytes that the server allocates on its heap per response. */
    public double allocatedPerRequest() {
        return allocatedPerSecond / perSecond();
    }
}
