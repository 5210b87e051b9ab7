package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.driver.AnswerClass;
import io.sluice.loadtest.experiments.driver.Answers;
import java.time.Duration;

/** One measured phase of one variant; {@code processorTime} is what the gateway used in it. */
record Round(Answers answers, Duration processorTime) {

    double perSecond() {
        return answers.perSecond(AnswerClass.OK);
    }

    /** Processor time of the gateway for each answer, in microseconds. */
    double microsPerRequest() {
        return processorTime.toNanos() / 1e3 / answers.count();
    }
}
