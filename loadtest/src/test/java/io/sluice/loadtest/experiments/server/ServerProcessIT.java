package io.sluice.loadtest.experiments.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ServerProcessIT {

    @TempDir
    private Path folder;

    @Test
    void takesThePortThatTheGatewayPrintsAndEndsItWhenClosed() throws Exception {
        var jar = FakeGateway.jarIn(folder);
        try (var config = ConfigFile.of("sleep.conf")) {
            var gateway = ServerProcess.start(jar, config, Variant.platformPool(), Confinement.NONE);
            var jarFile = jar.file().toString();
            var child = ProcessHandle.current().children()
                    .filter(process -> process.info().commandLine().orElse("").contains(jarFile))
                    .findFirst().orElseThrow();
            assertThat(gateway.port()).isEqualTo(FakeGateway.PORT);
            assertThat(gateway.processorTime()).isPositive();
            gateway.close();
            assertThat(child.isAlive()).isFalse();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void keepsItWithinLimitsAndTellsHowItEnded() throws Exception {
        var jar = FakeGateway.jarIn(folder);
        var log = folder.resolve("gateway.log");
        var confinement = new Confinement(List.of("-Xmx64m"), 200, Optional.empty()).loggingTo(log);
        try (var config = ConfigFile.of("sleep.conf");
                var gateway = ServerProcess.start(jar, config, Variant.platformPool(), confinement)) {
            assertThat(gateway.port()).isEqualTo(FakeGateway.PORT);
            assertThat(log).content().contains("Sluice 0 serves");
            var limits = Files.readString(Path.of("/proc/%d/limits".formatted(gateway.pid())));
            assertThat(limits).containsPattern("Max open files +200 +200 ");
            try (var peak = PeakWatch.of(gateway)) {
                assertThat(peak.descriptors()).isBetween(3L, 200L);
                assertThat(peak.residentBytes()).isGreaterThan(10 << 20);
            }
            gateway.limit("nofile", "100");
            assertThat(Files.readString(Path.of("/proc/%d/limits".formatted(gateway.pid()))))
                    .containsPattern("Max open files +100 +200 ");
            assertThatThrownBy(() -> gateway.limit("fish", "1"))
                    .hasMessageStartingWith("prlimit --fish=1:: ");
            assertThat(gateway.state()).isEqualTo("lives");
            gateway.kill();
            await().until(() -> !gateway.alive());
            assertThat(gateway.state()).isEqualTo("exit 137");
        }
    }

    @Test
    void outputOfAGatewayThatFailsToStartIsReported() throws Exception {
        var jar = FakeGateway.jarIn(folder);
        try (var config = ConfigFile.of("sleep.conf")) {
            assertThatThrownBy(() -> ServerProcess.start(
                    jar, config, Variant.virtualPool().with("sluice.fake", "broken"), Confinement.NONE))
                    .hasMessageContaining("the gateway does not serve (ours, virtual threads)")
                    .hasMessageEndingWith("sluice.fake: broken (expected: anything else)");
        }
    }

    @Test
    void startsAGatewayAsTheLauncherDoes() {
        var command = new GatewayJar(Path.of("sluice.jar"))
                .serve(Path.of("my.conf"), Variant.platformPool());
        assertThat(command).contains("--sun-misc-unsafe-memory-access=allow", "-XX:+ExitOnOutOfMemoryError")
                .containsSubsequence("-jar", "sluice.jar", "serve", "--config", "my.conf")
                .contains("-Dsluice.server.worker-threads=2", "-Dsluice.offload.pools.work.kind=platform");
    }

    @Test
    void hasVariantsThatDifferInTheirSettings() {
        assertThat(Variant.virtualPool().settings())
                .containsEntry("sluice.offload.pools.work.kind", "virtual");
        assertThat(Variant.platformPool().with("a", "b").settings()).containsEntry("a", "b")
                .containsEntry("sluice.offload.pools.work.kind", "platform");
    }

    @Test
    void writesAConfigurationWithLinesOfItsOwnAndDeletesIt() throws Exception {
        Path file;
        try (var config = ConfigFile.of("row.conf", "sluice.databases.rows.url = x")) {
            file = config.file();
            assertThat(file).content().startsWith("#").endsWith("}\nsluice.databases.rows.url = x\n");
        }
        assertThat(Files.exists(file)).isFalse();
        assertThatThrownBy(() -> ConfigFile.of("none.conf"))
                .hasMessageStartingWith("none.conf: no such resource (expected: one in /io/sluice/");
    }
}
