package io.sluice.loadtest.experiments.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.loadtest.BuiltGateway;
import io.sluice.loadtest.experiments.bench.Timing;
import io.sluice.loadtest.experiments.bench.Workbench;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
@BuiltGateway.Awaited
class SoakIT {

    @Test
    void resourcesAreSampledAfterEachOrdeal() throws Exception {
        var mild = Ordeal.all().stream()
                .filter(ordeal -> List.of("slow heads", "database down").contains(ordeal.toString()))
                .toList();
        assertThat(mild).hasSize(2);
        var section = Soak.run(new Workbench(BuiltGateway.jar(), Timing.SHORT,
                Optional.of(Duration.ofSeconds(2)), new PrintStream(OutputStream.nullOutputStream())), mild);
        assertThat(section.table().toString()).contains("| heap after a collection, MB |",
                "| direct memory in buffers, MB |", "| direct memory of their pool, MB |",
                "| descriptors |", "| threads |");
        assertThat(section.goals()).hasSize(6);
        assertThat(section.plot()).contains("<polyline");
    }
}
