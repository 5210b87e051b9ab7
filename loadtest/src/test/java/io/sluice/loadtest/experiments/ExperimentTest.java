package io.sluice.loadtest.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.loadtest.experiments.bench.Timing;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ExperimentTest {

    @Test
    void isNamedAsInTheCommandLine() {
        assertThat(Suite.EXPERIMENTS.names()).isEqualTo(
                "cold-start, r4, mixed, isolation, overload, upstream-overload, upstream-slow-endpoint, "
                        + "upstream-large-bodies, slow-attacks, row, hot-path, ws-echo, ws-idle, ws-fan-out, "
                        + "fan-out-nodes, hostile, faults, node-failures or soak");
        assertThat(Suite.COMPARE.names()).isEqualTo("hello, cpu, latency, keep-alive, query, rows or proxy");
        assertThat(Experiment.values()).allSatisfy(experiment ->
                assertThat(experiment.suite().named(experiment.toString())).contains(experiment));
        assertThat(Suite.EXPERIMENTS.named("R4")).isEmpty();
        assertThat(Suite.EXPERIMENTS.named("hello")).isEmpty();
    }

    @Test
    void warmsUpForAsLongAsIsNeededWhereThatMatters() {
        var needed = Duration.ofSeconds(12);
        assertThat(Timing.REPORT.warmUp(needed)).isEqualTo(needed);
        assertThat(Timing.REPORT.warmUp(Duration.ZERO)).isEqualTo(Timing.REPORT.warmUp());
        assertThat(Timing.SHORT.warmUp(needed)).isEqualTo(Timing.SHORT.warmUp());
    }
}
