package io.sluice.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code compare}: two short workloads against all servers. */
@EnabledOnOs(OS.LINUX)
@BuiltGateway.Awaited
class ComparisonIT {

    /** Two workloads, since other modules build and test on the same two processors meanwhile. */
    private static final List<String> WORKLOADS = List.of("hello", "keep-alive");

    @TempDir
    private Path folder;

    @Test
    void reportsItOnEveryServerAndLeavesNoneBehind() throws Exception {
        BuiltGateway.jar();
        var out = new ByteArrayOutputStream();
        int code = LoadTest.run(
                new String[] {"compare", "hello", "keep-alive", "--profile", "short",
                    "--results", folder.toString()},
                new PrintStream(out), System.err);
        assertThat(code).as(out::toString).isZero();
        assertThat(folder.resolve("compare.md")).content().startsWith("# Comparison\n")
                .contains("./sluice loadtest compare hello keep-alive --profile short");
        for (var workload : WORKLOADS) {
            // The rate of success counts answered requests. A slow machine may answer none in this time.
            assertThat(Files.readString(folder.resolve(workload + ".md")))
                    .contains("| ours |", "| bare Netty |", "| Tomcat, platform threads |",
                            "| Tomcat, virtual threads |",
                            "errors, ours: at most 0.00, measured 0.000: reached")
                    .containsPattern("\\| bare Netty \\| [^|]+ \\| (100\\.0 %|–) \\|");
            assertThat(folder.resolve(workload + ".svg")).content().contains("<polyline");
        }
        assertThat(ProcessHandle.current().children()
                .map(child -> child.info().commandLine().orElse(""))
                .filter(line -> line.contains("TomcatServer") || line.contains("BareServer")
                        || line.contains("serve --config")))
                .isEmpty();
    }
}
