package io.sluice.loadtest.experiments.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.loadtest.BuiltGateway;
import io.sluice.loadtest.experiments.bench.Timing;
import io.sluice.loadtest.experiments.bench.Workbench;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
@BuiltGateway.Awaited
class FaultsIT {

    @Test
    void outcomesAreCountedDuringFaults() throws Exception {
        var section = Faults.run(new Workbench(BuiltGateway.jar(), Timing.SHORT, Optional.empty(),
                new PrintStream(OutputStream.nullOutputStream())),
                List.of(Fault.DATABASE_DOWN, Fault.ONE_OF_TWO_KILLED));
        // The outage is so short that on a busy machine no request may meet it.
        assertThat(section.table().toString())
                .containsPattern("database down \\| [1-9]\\d* \\| \\d+ \\| \\d+ \\| 0 \\| 0 \\| .* lives \\|")
                .containsPattern("\\| one of two killed \\| \\d+ \\| [1-9]\\d* \\| .* \\| exit 137 \\|");
        assertThat(section.goals()).hasSize(2);
        assertThat(section.plot()).contains("<polyline");
    }
}
