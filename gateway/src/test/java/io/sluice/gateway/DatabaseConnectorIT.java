package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.admin.ReloadException;
import io.sluice.gateway.proxy.ByteOrigin;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Databases that do not answer. */
class DatabaseConnectorIT {

    @Test
    void waitsForAllDatabasesAtOnce() throws Exception {
        CompletableFuture<RunningGateway> start;
        try (ByteOrigin silent = ByteOrigin.playing(ByteOrigin.Connection::drain)) {
            String database = """
                    sluice.databases.%s { url = "jdbc:postgresql://127.0.0.1:%d/x", user = x, pool = main
                      connection-timeout = 1m, affects-readiness = false }
                    """;
            start = CompletableFuture.supplyAsync(() -> RunningGateway.start(
                    "sluice.offload.pools.main { workers = 1 }\n" + database.formatted("one", silent.port())
                            + database.formatted("two", silent.port())));
            await().atMost(Duration.ofSeconds(50)).until(() -> silent.open() == 2);
            assertThat(start).isNotDone();
        }
        start.join().close();
    }

    /** All gateways that follow the same file would be unready. */
    @Test
    void aReloadKeepsADatabaseWhoseReplacementCannotBeReached() throws Exception {
        String config = """
                sluice.offload.pools.main { workers = 1 }
                sluice.databases.main { url = "%s", user = sa, pool = main }
                sluice.routes.rows { path = /rows, handler = query, database = main, sql = "SELECT 1 AS n" }
                """;
        String broken = "jdbc:postgresql://127.0.0.1:" + RunningGateway.freePort() + "/x";
        try (var gateway = RunningGateway.start(config.formatted("jdbc:h2:mem:kept"))) {
            assertThatThrownBy(() -> gateway.reload(config.formatted(broken)))
                    .isInstanceOf(ReloadException.class)
                    .hasMessageContaining("sluice.databases.main: it cannot be reached");
            assertThat(gateway.get("/rows").body()).isEqualTo("[{\"N\":1}]");
        }
        try (var gateway = RunningGateway.start(config.formatted(broken))) {
            gateway.reload(config.formatted(broken.replace("/x", "/y")));
            assertThat(gateway.get("/rows").statusCode()).isEqualTo(503);
        }
    }
}
