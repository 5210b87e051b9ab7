package io.sluice.loadtest.experiments.server;

import io.sluice.loadtest.experiments.process.ChildProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** An AOT cache of the gateway, as its launcher makes one (JEP 514, 515); deleted when it is closed. */
public record AotCache(Path file) implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /**
     * Makes the gateway write a cache; blocks.
     *
     * @throws IOException if it does not
     */
    public static AotCache train(GatewayJar jar) throws IOException, InterruptedException {
        var cache = new AotCache(Files.createTempFile("sluice-experiment-", ".aot"));
        try {
            cache.write(jar);
            return cache;
        } catch (Throwable e) {
            cache.close();
            throw e;
        }
    }

    private void write(GatewayJar jar) throws IOException, InterruptedException {
        var training = ChildProcesses.start(new ProcessBuilder(JavaCommand.of(
                "-XX:AOTCacheOutput=" + file, "-jar", jar.file().toString(), "train"))
                        .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD));
        try {
            if (!training.waitFor(PATIENCE) || training.exitValue() != 0) {
                throw new IOException("the gateway wrote no AOT cache (sluice train)");
            }
        } finally {
            training.destroyForcibly();
            ChildProcesses.ended(training);
        }
    }

    /** The JVM options by which the gateway uses it. */
    public List<String> options() {
        return List.of("-XX:AOTCache=" + file, "-Xlog:aot=off", "-Xlog:cds=off");
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(file);
    }
}
