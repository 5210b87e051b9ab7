package io.sluice.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code compare}: a short workload against all servers. */
@EnabledOnOs(OS.LINUX)
@BuiltGateway.Awaited
class ComparisonIT {
    /** One workload, since other modules build and test on the same two processors meanwhile. */
    private static final String WORKLOAD = "hello";

    @TempDir
    private Path folder;

    @Test
    void reportsItOnEveryServerAndLeavesNoneBehind() throws Exception {
        BuiltGateway.jar();
        var out = new ByteArrayOutputStream();
        int code = LoadTest.run(
                new String[] {"compare", WORKLOAD, "--profile", "short", "--results", folder.toString()},
                new PrintStream(out), System.err);
        assertThat(code).as(out::toString).isZero();
        assertThat(folder.resolve("compare.md")).content().startsWith("# Comparison\n")
                .contains("./sluice loadtest compare hello --profile short");
        // A slow machine may answer only a part of the requests in this time, or none.
        assertThat(Files.readString(folder.resolve(WORKLOAD + ".md")))
                .contains("| ours |", "| bare Netty |", "| Tomcat, platform threads |",
                        "| Tomcat, virtual threads |",
                        "errors, ours: at most 0.00, measured 0.000: reached")
                .containsPattern("\\| bare Netty \\| [^|]+ \\| (\\d+\\.\\d %|–) \\|");
        assertThat(folder.resolve(WORKLOAD + ".svg")).content().contains("<polyline");
        assertThat(ProcessHandle.current().children()
                .map(child -> child.info().commandLine().orElse(""))
                .filter(line -> line.contains("TomcatServer") || line.contains("BareServer")
                        || line.contains("serve --config")))
                .isEmpty();
    }
}
