package io.sluice.gateway.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RunningGateway;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway with the handler and the filter of a plug-in jar. */
class PluginsIT {
    private static final String ROUTES = """
            sluice {
              offload.pools.dns { workers = 2 }
              tokens.alice.sha256 = "%s"
              routes {
                dns { path = "/dns/{host}", handler = dns-lookup, pool = dns, served-by.site = eu-1 }
                plain { path = "/plain", handler = text, text = hi, served-by = null }
                closed { path = "/closed", handler = text, text = hi, tokens = [alice] }
              }
              route-defaults.served-by { site = us-2 }
            }
            """.formatted("0".repeat(64));

    @TempDir
    private Path folder;

    @Test
    void servesTheHandlerAndTheFilterOfAJar() throws Exception {
        PluginJar.ofSample(folder.resolve("sample.jar"));
        try (var gateway = RunningGateway.start(ROUTES, PluginJars.in(folder))) {
            var answer = gateway.get("/dns/127.0.0.1");

            assertThat(answer.body()).isEqualTo("127.0.0.1");
            assertThat(answer.headers().allValues("X-Served-By")).containsExactly("eu-1");
            await().untilAsserted(() -> assertThat(gateway.getAdmin("/metrics").body())
                    .containsPattern("sluice_offload_run_time_seconds_count\\{.*pool=\"dns\".*} 1"));
            assertThat(gateway.get("/dns/%5Bx").statusCode()).isEqualTo(404);
            assertThat(gateway.get("/dns/%5Bx").headers().allValues("X-Served-By")).containsExactly("eu-1");
            assertThat(gateway.get("/plain").headers().map()).doesNotContainKey("x-served-by");
            assertThat(gateway.get("/closed").statusCode()).isEqualTo(401);
            assertThat(gateway.get("/closed").headers().map()).doesNotContainKey("x-served-by");

            gateway.reload(ROUTES.replace("eu-1", "eu-2"));
            assertThat(gateway.get("/dns/127.0.0.1").headers().allValues("X-Served-By"))
                    .containsExactly("eu-2");
        }
    }
}
