package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The arithmetic; RefusalContract has it at work. */
class AdmissionTest {
    private static final long MILLI = 1_000_000;

    private final RunTimes runTimes = new RunTimes();
    private final Admission admission = new Admission(10, runTimes);

    @Test
    void nobodyIsLateBeforeAnythingIsKnown() {
        assertThat(admission.tooLate(in(0), 1_000, null)).isFalse();
    }

    @Test
    void oneTaskLeavesTheWorkersEveryMeanByWorkers() {
        runTimes.completed(20 * MILLI);

        assertThat(admission.expectedWait(490, null)).isEqualTo(1_000.0 * MILLI);
        assertThat(admission.tooLate(in(1_200), 490, null)).isFalse();
        assertThat(admission.tooLate(in(1_010), 490, null)).as("without time to run").isTrue();
        assertThat(admission.tooLate(in(900), 490, null)).isTrue();
    }

    @Test
    void runTimesThatStrayNeedMoreTime() {
        for (int i = 0; i < 100; i++) {
            runTimes.completed(i % 2 == 0 ? MILLI : 39 * MILLI);
        }

        assertThat(admission.tooLate(in(1_050), 490, null)).isTrue();
        assertThat(admission.tooLate(in(1_500), 490, null)).isFalse();
    }

    private static Deadline in(long millis) {
        return Deadline.after(Duration.ofMillis(millis));
    }
}
