package io.sluice.loadtest.experiments.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.loadtest.BuiltGateway;
import io.sluice.loadtest.experiments.bench.Timing;
import io.sluice.loadtest.experiments.bench.Workbench;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
@BuiltGateway.Awaited
class LargeBodiesIT {

    @Test
    void passInBothDirectionsInConstantMemory() throws Exception {
        var section = LargeBodies.run(new Workbench(BuiltGateway.jar(), Timing.SHORT, Optional.empty(),
                new PrintStream(OutputStream.nullOutputStream())));
        assertThat(section.table().toString()).contains("| downloads |", "| uploads |");
        assertThat(section.goals()).hasSize(2).allSatisfy(goal -> assertThat(goal.reached()).isTrue());
        assertThat(section.plot()).contains("<polyline");
    }
}
