package io.sluice.gateway.tunnel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.plugin.PluginJar;
import io.sluice.gateway.plugin.PluginJars;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tunnels of a plug-in that reads by way of a pool, and reloads. */
@ParameterizedClass
@EnumSource(Http.class)
class PluginTunnelsIT {
    private static final String ROUTE = """
            sluice.offload.pools.shouts { workers = %d }
            sluice.routes.shout { path = /, handler = shout, pool = shouts, suffix = "%s" }
            """;

    @TempDir
    private Path folder;
    @Parameter
    private Http http;
    private RunningGateway gateway;
    private TunnelClient client;

    @BeforeEach
    void open() throws Exception {
        PluginJar.ofResources("tunnel-plugin", folder.resolve("tunnel.jar"));
        gateway = RunningGateway.start(ROUTE.formatted(1, "!"), PluginJars.in(folder));
        client = TunnelClient.open(http, gateway.port());
        assertThat(client.send("a").read(2)).isEqualTo("A!");
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        gateway.close();
    }

    @Test
    void keepTheirPoolUntilTheyEndWhenTheirRouteGoes() throws Exception {
        assertThat(gateway.reload("").get("socketsClosing")).isEqualTo(1);
        assertThat(client.read(3)).isEqualTo("bye");
        assertThat(client.send("b").read(2)).isEqualTo("B!");
        client.close();
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("shouts")));
    }

    @Test
    void stayWhereNothingOfTheirsChanges() throws Exception {
        assertThat(gateway.reload(ROUTE.formatted(1, "!") + "sluice.routes.shout.max-body = 1KiB")
                .get("socketsClosing")).isEqualTo(0);
        assertThat(client.send("b").read(2)).isEqualTo("B!");
    }

    /** Tunnels cannot take over changed keys or a changed pool. */
    @Test
    void areDrainedWhereTheirKeysOrTheirPoolChange() throws Exception {
        assertThat(gateway.reload(ROUTE.formatted(1, "?")).get("socketsClosing")).isEqualTo(1);
        assertThat(client.read(3)).isEqualTo("bye");
        try (TunnelClient next = TunnelClient.open(http, gateway.port())) {
            assertThat(next.send("b").read(2)).isEqualTo("B?");
            assertThat(gateway.reload(ROUTE.formatted(2, "?")).get("socketsClosing")).isEqualTo(1);
            assertThat(next.read(3)).isEqualTo("bye");
        }
    }
}
