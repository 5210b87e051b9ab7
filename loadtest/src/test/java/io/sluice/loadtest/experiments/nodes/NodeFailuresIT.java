package io.sluice.loadtest.experiments.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.loadtest.BuiltGateway;
import io.sluice.loadtest.experiments.bench.Timing;
import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.process.InstalledProgram;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
@BuiltGateway.Awaited
class NodeFailuresIT {

    @Test
    void countsMessagesWhileANodeIsKilled() throws Exception {
        assumeTrue(InstalledProgram.find("redis-server").isPresent(), "redis-server is not installed");
        var section = NodeFailures.run(new Workbench(BuiltGateway.jar(), Timing.SHORT, Optional.empty(),
                new PrintStream(OutputStream.nullOutputStream())),
                List.of(NodeFault.NODE_KILLED), 60);
        assertThat(section.goals()).hasSize(2).allMatch(goal -> goal.reached());
        assertThat(section.table().toString())
                .containsPattern("node killed \\| [1-9][\\d,]* \\| \\d+ \\| [1-9]");
        assertThat(section.plot()).contains("<polyline");
    }
}
