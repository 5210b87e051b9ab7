package io.sluice.loadtest.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ExperimentTest {

    @Test
    void isNamedAsInTheCommandLine() {
        assertThat(Experiment.names()).isEqualTo(
                "cold-start, r4, mixed, isolation, overload, slow-attacks, row, hot-path, ws-echo, "
                        + "ws-idle or ws-fan-out");
        assertThat(Experiment.all()).allSatisfy(
                experiment -> assertThat(Experiment.named(experiment.toString())).contains(experiment));
        assertThat(Experiment.named("R4")).isEmpty();
    }

    @Test
    void warmsUpForAsLongAsIsNeededWhereThatMatters() {
        var needed = Duration.ofSeconds(12);
        assertThat(Timing.REPORT.warmUp(needed)).isEqualTo(needed);
        assertThat(Timing.REPORT.warmUp(Duration.ZERO)).isEqualTo(Timing.REPORT.warmUp());
        assertThat(Timing.SHORT.warmUp(needed)).isEqualTo(Timing.SHORT.warmUp());
    }
}
