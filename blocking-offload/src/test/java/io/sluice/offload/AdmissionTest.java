package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.ImmediateEventExecutor;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The arithmetic of admission. {@link RefusalContract} tests pools that use it. */
class AdmissionTest {
    private static final long MILLI = 1_000_000;

    private final MockTicker clock = Ticker.newMockTicker();
    private final RunTimes runTimes = new RunTimes();
    private final Admission admission = new Admission(10, runTimes, runTimes);

    @Test
    void tasksAreAdmittedBeforeTheFirstRunTime() {
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
    void aTenthOfTheTimeIsKeptBack() {
        runTimes.completed(20 * MILLI);

        assertThat(admission.tooLate(in(1_100), 490, null)).as("1,020 ms of 1,100 ms").isTrue();
        assertThat(admission.tooLate(in(1_180), 490, null)).as("1,020 ms of 1,180 ms").isFalse();
    }

    @Test
    void theHeadOfTheQueueKnowsBetterThanAMeanFromBefore() {
        for (int i = 0; i < 1_000; i++) {
            runTimes.completed(MILLI);
        }
        var head = new OffloadTask<Void>(null, null, in(60_000), ImmediateEventExecutor.INSTANCE, _ -> null);
        head.queued(0);
        assertThat(admission.tooLate(in(1_000), 490, head)).isFalse();

        clock.advanceMillis(30);

        // The ten workers have been busy for 30 ms. 500 tasks take 50 such rounds: 1.5 s.
        assertThat(admission.expectedWait(490, head)).isEqualTo(1_500.0 * MILLI);
        assertThat(admission.tooLate(in(1_000), 490, head)).isTrue();
    }

    @Test
    void taskIsAdmittedIfTheQueueIsEmpty() {
        runTimes.completed(60_000 * MILLI);

        assertThat(admission.tooLate(in(1), 0, null)).isFalse();
    }

    @Test
    void runTimesThatStrayNeedMoreTime() {
        for (int i = 0; i < 100; i++) {
            runTimes.completed(i % 2 == 0 ? MILLI : 39 * MILLI);
        }

        assertThat(admission.tooLate(in(1_050), 490, null)).isTrue();
        assertThat(admission.tooLate(in(1_500), 490, null)).isFalse();
    }

    private Deadline in(long millis) {
        return Deadline.after(Duration.ofMillis(millis), clock);
    }
}
