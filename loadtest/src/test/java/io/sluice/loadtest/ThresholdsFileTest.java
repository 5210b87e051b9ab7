package io.sluice.loadtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.loadtest.simulations.Thresholds;
import io.sluice.loadtest.simulations.Thresholds.Limit;
import io.sluice.loadtest.simulations.UsageException;
import io.sluice.loadtest.simulations.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ThresholdsFileTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void everySimulationHasThresholds(Workload workload) {
        assertThat(ThresholdsFile.builtIn().of(workload)).hasValueSatisfying(
                thresholds -> assertThat(thresholds.assertions()).isNotEmpty());
    }

    @Test
    void hasTheAssertionsOfFieldReportR1() {
        assertThat(ThresholdsFile.builtIn().of(Workload.CPU)).contains(new Thresholds(
                Map.of(Limit.MEAN, 5_000.0, Limit.P95, 10_000.0, Limit.ERROR_RATIO, 0.01)));
    }

    @Test
    void fileReplacesAllThresholdsOfASimulation() throws IOException {
        var thresholds = """
                # for staging
                hello.p99 = 50ms
                hello.error-ratio = 0.001
                soak.mean: 2s
                """;
        assertThat(SimulationCommandTest.settings("hello", "--thresholds", file(thresholds)).thresholds())
                .isEqualTo(new Thresholds(Map.of(Limit.P99, 50.0, Limit.ERROR_RATIO, 0.001)));
        assertThat(SimulationCommandTest.settings("query", "--thresholds", file(thresholds)).thresholds())
                .isEqualTo(ThresholdsFile.builtIn().of(Workload.QUERY).orElseThrow());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "hello.p99 = 50         | hello.p99: 50 (expected: a whole number above 0 and ms, s, m or h)",
            "hello.max = 0ms        | hello.max: 0ms (expected: a whole number above 0 and ms, s, m or h)",
            "hello.max = 999h       | hello.max: 999h (expected: a whole number above 0 and ms, s, m or h)",
            "hello.error-ratio = 2  | hello.error-ratio: 2 (expected: 0..1)",
            "hello.error-ratio = NaN| hello.error-ratio: NaN (expected: 0..1)",
            "hello.error-ratio      | hello.error-ratio:  (expected: 0..1)",
            "hello.p90 = 1s         | hello.p90: 1s (expected: hello.LIMIT with a limit of mean, p95, p99, "
                    + "max, error-ratio)",
            "breakpoint.max = 1s    | breakpoint.max: 1s (expected: breakpoint.LIMIT with a limit of "
                    + "p99, error-ratio)",
            "hallo.p99 = 1s         | hallo.p99: 1s (expected: SIMULATION.LIMIT with a simulation of hello, "
                    + "cpu, latency, keep-alive, query, code, ws-echo, breakpoint, soak)",
            "\\u12 = 1              | Malformed \\uxxxx encoding. (expected: a properties file that can be "
                    + "read)",
    })
    void invalidLinesAreReportedWithTheExpectation(String line, String message) throws IOException {
        var file = file(line);
        assertThatThrownBy(() -> ThresholdsFile.read(file))
                .isInstanceOf(UsageException.class).hasMessage(file + ": " + message);
    }

    @Test
    void tellsAllMistakesAtOnce() throws IOException {
        var file = file("hello.p99 = fast\nhello.mean = 1s\ncpu.error-ratio = 1 %\n");
        assertThatThrownBy(() -> ThresholdsFile.read(file)).hasMessage("""
                %1$s: cpu.error-ratio: 1 %% (expected: 0..1)
                %1$s: hello.p99: fast (expected: a whole number above 0 and ms, s, m or h)""", file);
    }

    @Test
    void saysThatAFileCannotBeRead() {
        var missing = folder.resolve("missing").toString();
        assertThatThrownBy(() -> ThresholdsFile.read(missing)).isInstanceOf(UsageException.class)
                .hasMessage("--thresholds: " + missing + " (expected: a properties file that can be read)");
        assertThatThrownBy(() -> ThresholdsFile.read("\0")).isInstanceOf(UsageException.class);
    }

    private String file(String text) throws IOException {
        return Files.writeString(folder.resolve("thresholds.properties"), text).toString();
    }
}
