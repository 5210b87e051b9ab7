package io.sluice.offload.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.config.PoolConfig;
import io.sluice.config.ProgramConfig;
import io.sluice.config.ProgramConfig.Sandbox;
import io.sluice.config.type.ByteSize;
import io.sluice.offload.Deadline;
import io.sluice.offload.Offload;
import io.sluice.offload.PoolObserver;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.awaitility.core.ThrowingRunnable;

/**
 * Programs on a pool of their own, closed after the test. A unique limit of memory identifies their
 * processes.
 */
final class ProgramTestBed implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofMinutes(2);
    static final Duration LONG = Duration.ofMinutes(5);
    private static final int WORKERS = 2;
    private static String unusable;
    private static String python;

    private final EventExecutor home = new DefaultEventExecutor();
    private final Offload pool = Offload.start("programs",
            PoolConfig.of(PoolConfig.Kind.PLATFORM, WORKERS, 10, LONG), PoolObserver.NONE);
    private final String marker;
    private final Programs programs;

    ProgramTestBed(ProgramConfig config) {
        marker = "\0" + config.memory().bytes() + "\0"; // an argument of all interpreters of this test
        programs = new Programs(config, pool);
    }

    /** Returns a configuration with these times and a unique limit of memory, and otherwise the defaults. */
    static ProgramConfig config(Sandbox sandbox, Duration wallTime, Duration cpuTime, int warm) {
        long unique = (256 << 20) + 4096 * ThreadLocalRandom.current().nextLong(1 << 14);
        String python = sandbox == Sandbox.NONE ? python() : "python3";
        return new ProgramConfig(python, sandbox, wallTime, cpuTime, new ByteSize(unique), 16,
                new ByteSize(1 << 20), new ByteSize(1 << 16), warm);
    }

    /**
     * Returns the path of the interpreter itself. The one on the PATH may be a script of a version manager.
     */
    private static synchronized String python() {
        try {
            if (python == null) {
                python = output(List.of("python3", "-c", "import sys; print(sys.executable)"));
            }
            return python;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static ProgramTestBed start(Sandbox sandbox) {
        return new ProgramTestBed(config(sandbox, PATIENCE, Duration.ofSeconds(20), 0));
    }

    /**
     * Runs a program that exceeds its wall time, and checks that it leaves no process. The wall time is
     * raised until the program has printed the expected text, since a busy machine may start it late.
     */
    static ProgramResult outlive(Sandbox sandbox, String code, String printed) throws InterruptedException {
        ProgramResult result = null;
        for (int seconds = 2; seconds < PATIENCE.toSeconds(); seconds *= 4) {
            try (var bed = new ProgramTestBed(config(sandbox, Duration.ofSeconds(seconds), LONG, 0))) {
                result = bed.run(code);
                bed.eventuallyNoProcesses();
            }
            if (result.stdout().equals(printed)) {
                break;
            }
        }
        return result;
    }

    /** Aborts the test, with a line on the console, where bubblewrap does not work. */
    static synchronized void assumeBubblewrap() {
        if (unusable == null) {
            unusable = whyUnusable();
        }
        if (!unusable.isEmpty()) {
            System.out.println("SKIPPED, no sandbox here: " + unusable);
            abort("no sandbox here: " + unusable);
        }
    }

    private static String whyUnusable() {
        try {
            var command = new ArrayList<String>();
            if (System.getProperty("user.name").equals("root")) {
                command.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
            }
            command.addAll(List.of("bwrap", "--unshare-user", "--unshare-pid", "--disable-userns",
                    "--ro-bind", "/", "/", "echo", "works"));
            String output = output(command);
            return output.equals("works") ? "" : output;
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    private static String output(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    Future<ProgramResult> submit(Deadline deadline, String code, byte[] input) {
        return programs.run(null, deadline, home,
                _ -> new Program(code.getBytes(StandardCharsets.UTF_8), input), Function.identity());
    }

    Future<ProgramResult> submit(String code) {
        return submit(Deadline.after(LONG), code, new byte[0]);
    }

    ProgramResult run(String code) throws InterruptedException {
        return run(code, "");
    }

    ProgramResult run(String code, String input) throws InterruptedException {
        return result(submit(Deadline.after(LONG), code, input.getBytes(StandardCharsets.UTF_8)));
    }

    /** Runs a program that must exit with 0 and leave no process, and returns what it prints. */
    String output(String code) throws InterruptedException {
        ProgramResult result = run(code);
        assertThat(result.exitCode()).as(result.toString()).isZero();
        eventuallyNoProcesses();
        return result.stdout().strip();
    }

    static ProgramResult result(Future<ProgramResult> future) throws InterruptedException {
        assertThat(future.await(PATIENCE.toMillis())).as("the program ends").isTrue();
        assertThat(future.cause()).isNull();
        return future.getNow();
    }

    static Throwable failure(Future<?> future) throws InterruptedException {
        assertThat(future.await(PATIENCE.toMillis())).as("the future completes").isTrue();
        return future.cause();
    }

    /** Returns the processes of the host that belong to these programs. */
    List<Path> processes() {
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            return all.filter(this::isOurs).toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private boolean isOurs(Path process) {
        try {
            return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1).contains(marker);
        } catch (IOException e) {
            return false; // not a process, or one that has ended
        }
    }

    /**
     * Waits until all processes have a session of their own. A terminal sends Ctrl-C to the foreground group
     * of its session, which then has only the gateway.
     */
    void eventuallySessionsOfTheirOwn() {
        eventually(() -> assertThat(processes()).isNotEmpty().allSatisfy(process ->
                assertThat(session(process)).isNotEqualTo(session(Path.of("/proc/self")))));
    }

    private static String session(Path process) throws IOException {
        String stat = Files.readString(process.resolve("stat"));
        return stat.substring(stat.lastIndexOf(')')).split(" ")[4];
    }

    void eventuallyNoProcesses() {
        eventually(() -> assertThat(processes()).as("processes").isEmpty());
    }

    void eventuallyIdle() {
        eventually(() -> assertThat(pool.stats().busy()).as("busy workers").isZero());
    }

    static void eventually(ThrowingRunnable assertion) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(2)).untilAsserted(assertion);
    }

    @Override
    public void close() {
        pool.close();
        programs.close();
        home.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        eventuallyNoProcesses();
    }
}
