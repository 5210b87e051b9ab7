package io.sluice.loadtest.experiments.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProcessIT {

    @TempDir
    private Path folder;

    @Test
    void takesThePortThatTheGatewayPrintsAndEndsItWhenClosed() throws Exception {
        var jar = FakeGateway.jarIn(folder);
        try (var config = ConfigFile.of("sleep.conf")) {
            var gateway = ServerProcess.start(jar, config, Variant.platformPool());
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
    void tellsWhatAGatewayThatDoesNotServeHasPrinted() throws Exception {
        var jar = FakeGateway.jarIn(folder);
        try (var config = ConfigFile.of("sleep.conf")) {
            assertThatThrownBy(() -> ServerProcess.start(
                    jar, config, Variant.virtualPool().with("sluice.fake", "broken")))
                    .hasMessageContaining("the gateway does not serve (ours, virtual threads)")
                    .hasMessageEndingWith("sluice.fake: broken (expected: anything else)");
        }
    }

    @Test
    void startsAGatewayAsTheLauncherDoes() {
        var command = new GatewayJar(Path.of("sluice.jar"))
                .serve(Path.of("my.conf"), Variant.onEventLoops(10));
        assertThat(command).contains("--sun-misc-unsafe-memory-access=allow", "-XX:+ExitOnOutOfMemoryError")
                .containsSubsequence("-jar", "sluice.jar", "serve", "--config", "my.conf")
                .contains("-Dsluice.server.worker-threads=10",
                        "-Dsluice.offload.pools.work.execution=event-loop");
    }

    @Test
    void hasVariantsThatDifferInTheirSettings() {
        assertThat(Variant.pinned(10).settings()).isEqualTo(Map.of("sluice.server.worker-threads", "2",
                "sluice.server.pinned-threads", "10", "sluice.offload.pools.work.execution", "event-loop"));
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
