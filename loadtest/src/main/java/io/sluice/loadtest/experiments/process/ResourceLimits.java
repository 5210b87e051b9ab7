package io.sluice.loadtest.experiments.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.time.Duration;

/** Changes the limits of a running process with {@code prlimit}, which is available on Linux. */
public record ResourceLimits(long pid) {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /**
     * Sets the soft limit of a resource, such as {@code nofile}.
     *
     * @param value a number, or {@code unlimited}
     * @throws IOException if that is not allowed, or there is no {@code prlimit}
     */
    public void set(String resource, String value) throws IOException, InterruptedException {
        var change = "--%s=%s:".formatted(resource, value);
        var prlimit = ChildProcesses.start(new ProcessBuilder(
                "prlimit", "--pid", Long.toString(pid), change).redirectErrorStream(true));
        try {
            if (!prlimit.waitFor(PATIENCE) || prlimit.exitValue() != 0) {
                throw new IOException("prlimit %s: %s".formatted(
                        change, new String(prlimit.getInputStream().readAllBytes(), UTF_8).strip()));
            }
        } finally {
            prlimit.destroyForcibly();
            ChildProcesses.ended(prlimit);
        }
    }
}
