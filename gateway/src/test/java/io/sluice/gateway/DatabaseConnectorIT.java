package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.proxy.ByteOrigin;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Databases that accept connections and do not answer. */
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
}
