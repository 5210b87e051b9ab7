package io.sluice.loadtest.experiments.nodes;

import io.sluice.loadtest.experiments.process.ChildProcesses;
import io.sluice.loadtest.experiments.process.InstalledProgram;
import io.sluice.loadtest.experiments.process.ProcessUsage;
import io.sluice.loadtest.experiments.server.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Redis of the machine's distribution on a port of 127.0.0.1; ended when it is closed. */
final class RedisProcess implements AutoCloseable {

    private static final Duration STARTING = Duration.ofSeconds(30);
    private static final long LOOK_MILLIS = 10;

    private final Path folder = Files.createTempDirectory("sluice-redis-");
    private final int port = FreePort.next();
    private final boolean kept;
    private Process process;

    private RedisProcess(boolean kept) throws IOException {
        this.kept = kept;
        process = launch();
    }

    /**
     * Starts it; blocks until it accepts connections.
     *
     * @param kept whether it writes each command to a file, from which it has its data after a restart
     * @throws IllegalStateException if it is not installed, or does not start
     */
    static RedisProcess start(boolean kept) throws IOException, InterruptedException {
        var redis = new RedisProcess(kept);
        redis.await();
        return redis;
    }

    private Process launch() throws IOException {
        var program = InstalledProgram.find("redis-server").orElseThrow(() -> new IllegalStateException(
                "redis-server: not installed (expected: the package redis-server)"));
        return ChildProcesses.start(new ProcessBuilder(new ArrayList<>(List.of(program.toString(),
                "--port", Integer.toString(port), "--bind", "127.0.0.1", "--dir", folder.toString(),
                "--save", "", "--appendonly", kept ? "yes" : "no")))
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile()));
    }

    private void await() throws IOException, InterruptedException {
        var end = System.nanoTime() + STARTING.toNanos();
        while (!FreePort.isServed(port)) {
            if (!process.isAlive() || System.nanoTime() - end > 0) {
                throw new IllegalStateException("redis-server does not serve; it printed:%n%s"
                        .formatted(Files.readString(folder.resolve("log"))));
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS); // the port has to be polled
        }
    }

    String url() {
        return "redis://127.0.0.1:" + port;
    }

    /** The CPU time so far. */
    Duration processorTime() {
        return new ProcessUsage(process.toHandle()).processorTime().orElse(Duration.ZERO);
    }

    /** Kills it (SIGKILL); blocks until it has ended. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
        ChildProcesses.ended(process);
    }

    /** Starts it again on the same port, with the data that it has written; blocks. */
    void restart() throws IOException, InterruptedException {
        process = launch();
        await();
    }

    /** Starts it again on the same port, without data; blocks. */
    void restartEmpty() throws IOException, InterruptedException {
        deleteFiles();
        Files.createDirectories(folder);
        restart();
    }

    private void deleteFiles() throws IOException {
        try (var all = Files.walk(folder)) {
            for (var path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    @Override
    public void close() throws IOException {
        try {
            kill();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        deleteFiles();
    }
}
