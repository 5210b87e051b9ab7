package io.sluice.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class LoadTestTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void helpsOnStandardOutput() {
        assertThat(run("--help")).isZero();
        assertThat(out).asString().startsWith("usage: loadtest").endsWith("\n");
        assertThat(err).asString().isEmpty();
    }

    @Test
    void tellsAMistakeInOneLineOnStandardError() {
        assertThat(run("hello", "--profile", "fast")).isEqualTo(2);
        assertThat(out).asString().isEmpty();
        assertThat(err).asString()
                .isEqualTo("--profile: fast (expected: short or report)" + System.lineSeparator());
    }

    @Test
    void wantsASimulation() {
        assertThat(run()).isEqualTo(2);
        assertThat(err).asString()
                .isEqualTo("simulation: none (expected: hello, cpu, latency, keep-alive, query, code, "
                        + "ws-echo, breakpoint, soak, experiments or compare)"
                        + System.lineSeparator());
    }

    @Test
    void wantsTimeForARequest() {
        assertThat(run("query", "--duration", "1s")).isEqualTo(2);
        assertThat(out).asString().isEmpty();
        assertThat(err).asString().isEqualTo(
                "--duration: 1 s (expected: more than the 1 s for which each user waits before a request)"
                        + System.lineSeparator());
    }

    private int run(String... args) {
        return LoadTest.run(args, new PrintStream(out, true), new PrintStream(err, true));
    }
}
