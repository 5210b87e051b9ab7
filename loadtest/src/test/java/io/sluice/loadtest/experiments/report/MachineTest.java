package io.sluice.loadtest.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MachineTest {

    @Test
    void saysInOneLineWhatAFigureDependsOn() {
        assertThat(new Machine(2, "Some CPU", (24L << 30) - 1_000_000, "A VM 25", "Linux 6.1"))
                .hasToString("2 processors (Some CPU), 24 GiB of memory, A VM 25, Linux 6.1");
    }

    @Test
    void knowsThisOne() {
        var here = Machine.here();
        assertThat(here.processors()).isPositive();
        assertThat(here.memory()).isPositive();
        assertThat(here.processor()).isNotBlank();
        assertThat(here.jdk()).contains(Runtime.version().toString());
    }
}
