package io.sluice.loadtest.experiments.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.loadtest.BuiltGateway;
import io.sluice.loadtest.experiments.bench.Timing;
import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.process.InstalledProgram;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
@BuiltGateway.Awaited
class FanOutNodesIT {

    @Test
    void measuresTheLastArrivalOfEachMessage() throws Exception {
        assumeTrue(InstalledProgram.find("redis-server").isPresent(), "redis-server is not installed");
        var section = FanOutNodes.run(new Workbench(BuiltGateway.jar(), Timing.SHORT, Optional.empty(),
                new PrintStream(OutputStream.nullOutputStream())), 40);
        var figure = " \\d[\\d.,]* \\|";
        assertThat(section.table().toString())
                .containsPattern("\\| ours, one node \\|" + figure.repeat(5) + " – \\| – \\| 0 \\| 0 \\|")
                .containsPattern("\\| ours, two nodes \\|" + figure.repeat(7) + " 0 \\| 0 \\|")
                .containsPattern("\\| bare Netty with Lettuce, two nodes \\|" + figure.repeat(7)
                        + " 0 \\| 0 \\|");
        assertThat(section.errors()).isZero();
        assertThat(section.plot()).contains("<polyline");
    }
}
