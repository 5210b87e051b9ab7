package io.sluice.loadtest.experiments.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class ProcessUsageTest {

    @Test
    void theCompilersOfAJvmHaveUsedTime() {
        var here = new ProcessUsage(ProcessHandle.current());

        // Whatever runs until then is compiled.
        Awaitility.await().until(() -> here.compilerTime().isPositive());
        assertThat(here.processorTime()).hasValueSatisfying(
                all -> assertThat(all).isPositive());
    }

    @Test
    void anotherProcessHasNoCompilers() throws IOException {
        Path program = Path.of("/bin/cat");
        assertThat(Files.isExecutable(program)).isTrue();
        var process = new ProcessBuilder(program.toString()).start();
        try {
            assertThat(new ProcessUsage(process.toHandle()).compilerTime()).isEqualTo(Duration.ZERO);
        } finally {
            process.destroy();
        }
    }
}
