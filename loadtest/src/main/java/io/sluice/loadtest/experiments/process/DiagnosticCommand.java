package io.sluice.loadtest.experiments.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs diagnostic commands in another JVM with the JDK's {@code jcmd}. */
public record DiagnosticCommand(long pid) {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /**
     * Runs a command; blocks until it is done.
     *
     * @return its output; empty if it fails or there is no {@code jcmd}, as in a JVM without development
     *     tools
     */
    public Optional<String> run(String... words) throws IOException, InterruptedException {
        var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        if (!Files.isExecutable(jcmd)) {
            return Optional.empty();
        }
        var said = Files.createTempFile("sluice-jcmd-", ".txt");
        var command = new ArrayList<>(List.of(jcmd.toString(), Long.toString(pid)));
        command.addAll(List.of(words));
        var asked = ChildProcesses.start(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile()));
        try {
            return asked.waitFor(PATIENCE) && asked.exitValue() == 0
                    ? Optional.of(Files.readString(said, StandardCharsets.ISO_8859_1))
                    : Optional.empty();
        } finally {
            asked.destroyForcibly();
            ChildProcesses.ended(asked);
            Files.deleteIfExists(said);
        }
    }
}
