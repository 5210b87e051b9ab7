package io.sluice.loadtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.loadtest.experiments.server.ConfigFile;
import io.sluice.loadtest.experiments.server.Confinement;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.server.Variant;
import io.sluice.loadtest.simulations.Workload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every simulation, run briefly by the command line against the gateway with its demo. */
@BuiltGateway.Awaited
class SimulationsIT {
    /** Duration of a simulation. In the first second users of R4 wait; a busy machine may send nothing. */
    private static final int SECONDS = 2;

    @TempDir
    private static Path folder;
    private static ServerProcess gateway;
    private static String admin;
    private static boolean runsPrograms;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @BeforeAll
    static void startTheDemo() throws IOException, InterruptedException {
        int adminPort;
        try (var free = new ServerSocket(0)) {
            adminPort = free.getLocalPort();
        }
        admin = "http://127.0.0.1:" + adminPort;
        runsPrograms = new ProcessBuilder("sh", "-c",
                "command -v python3 && bwrap --unshare-all --ro-bind / / true").start().waitFor() == 0;
        var config = Files.writeString(folder.resolve("gateway.conf"),
                "include classpath(\"%s\")".formatted(runsPrograms ? "demo-code.conf" : "demo.conf"));
        var demo = new Variant("demo", Map.of(
                "sluice.server.port", "0", "sluice.admin.port", Integer.toString(adminPort),
                "sluice.lifecycle.warm-up", "0s",
                // On a busy machine requests wait for long, and none is to be refused for that.
                "sluice.offload.pools.jdbc.deadline", "5m", "sluice.route-defaults.deadline", "5m"));
        gateway = ServerProcess.start(BuiltGateway.jar(), new ConfigFile(config), demo, Confinement.NONE);
    }

    @AfterAll
    static void stop() {
        if (gateway != null) {
            gateway.close();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BREAKPOINT")
    void runsWithoutAFailure(Workload workload) throws IOException {
        assumeTrue(workload != Workload.CODE || runsPrograms, "bubblewrap, user namespaces and Python");
        assertThat(run(workload, "--duration", SECONDS + "s", "--thresholds",
                thresholds(workload + ".error-ratio = 0", workload + ".max = 1m")))
                .as(out::toString).isZero();
        assertThat(out.toString()).contains("%s (%d s) on http".formatted(workload, SECONDS), "100.0 %",
                "thresholds: all kept");
        if (workload == Workload.SOAK) {
            assertThat(out.toString()).containsPattern("open descriptors +\\d+ +\\d+ +\\d+ +[+-]");
        }
    }

    @Test
    void breaksOnAStairThatIsMoreThanThePoolCanDo() throws IOException {
        run(Workload.BREAKPOINT, "--duration", "20s", "--thresholds", thresholds("breakpoint.p99 = 500ms"));
        assertThat(out.toString()).containsPattern(
                "breakpoint: (1,)?\\d00/s "
                + "\\(of [1-9,]+00 requests \\d+ failed, \\d+ took 500 ms or longer\\)");
    }

    @Test
    void exitsWith1WhereAThresholdIsBroken() throws IOException {
        assertThat(run(Workload.KEEP_ALIVE, "--duration", SECONDS + "s", "--thresholds",
                thresholds("keep-alive.mean = 1ms"))).isEqualTo(1);
        assertThat(out.toString()).contains("thresholds: NOT all kept");
    }

    @Test
    void exitsWith2WhereThereIsNothingToSample() {
        assertThat(LoadTest.run(new String[] {"soak", "--admin", "http://127.0.0.1:1"},
                new PrintStream(out), new PrintStream(out))).isEqualTo(2);
        assertThat(out.toString()).startsWith(
                "--admin: http://127.0.0.1:1 (expected: http://127.0.0.1:1/metrics to answer: ");
    }

    private static String thresholds(String... lines) throws IOException {
        return Files.write(folder.resolve("thresholds.properties"), List.of(lines)).toString();
    }

    private int run(Workload workload, String... options) {
        var arguments = Stream.concat(
                Stream.of(workload.toString(), "--url", "http://127.0.0.1:" + gateway.port(),
                        "--admin", admin, "--results", folder.resolve(workload.toString()).toString()),
                Stream.of(options));
        return LoadTest.run(arguments.toArray(String[]::new), new PrintStream(out), System.err);
    }
}
