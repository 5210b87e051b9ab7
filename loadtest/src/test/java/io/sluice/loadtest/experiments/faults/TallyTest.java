package io.sluice.loadtest.experiments.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.loadtest.experiments.faults.Verdict.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TallyTest {

    private final Tally tally = new Tally();

    @Test
    void countsEachRequestOnceAndKnowsWhenAllIsWellAgain() throws Exception {
        end(0, Verdict.RIGHT);
        end(100, Verdict.refused("busy"));
        end(250, Verdict.wrong("500"));
        end(300, Verdict.RIGHT);
        end(50, Verdict.lost("timeout"));
        tally.await();
        assertThat(tally.requests()).isEqualTo(5);
        for (var outcome : Outcome.values()) {
            assertThat(tally.count(outcome)).isEqualTo(outcome == Outcome.RIGHT ? 2 : 1);
        }
        assertThat(tally.recovery(200)).isEqualTo(Duration.ofNanos(50));
        assertThat(tally.recovery(250)).isZero();
        assertThat(tally.examples()).containsExactly("REFUSED: busy", "WRONG: 500", "LOST: timeout");
        assertThat(tally.notRight(0, Duration.ofNanos(400), 4)).containsExactly(0.5, 1, 1, 0);
    }

    private void end(long sent, Verdict verdict) {
        tally.begin();
        tally.end(sent, verdict);
    }
}
