package io.sluice.gateway.offload;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.PostgresServer;
import io.sluice.gateway.RunningGateway;
import java.net.InetSocketAddress;
import java.net.URI;
import org.junit.jupiter.api.Test;

/**
 * The machine of a database is lost while all workers run queries that may take long. Their connections do
 * not break; only the probe detects the loss.
 */
class LostConnectionsIT {
    private static final int WORKERS = 4;

    private final PostgresServer postgres = PostgresServer.get();

    @Test
    void workersThatWaitForALostDatabaseWorkAgainSoonAfterItsReturn() throws Exception {
        URI uri = URI.create(postgres.url().substring("jdbc:".length()));
        try (var proxy = new OutageProxy(new InetSocketAddress(uri.getHost(), uri.getPort()));
                RunningGateway gateway = RunningGateway.start("""
                        sluice.offload.pools.main { workers = %d, deadline = 60s }
                        sluice.databases.main {
                          url = "jdbc:postgresql://127.0.0.1:%d%s", user = "%s", password = "%s", pool = main
                          connection-timeout = 1s
                        }
                        sluice.handler-defaults.query.database = main
                        sluice.routes {
                          slow {
                            path = "/slow", handler = query, deadline = 60s
                            sql = "SELECT 1 AS ok FROM pg_sleep(30)"
                          }
                          quick { path = "/quick", handler = query, sql = "SELECT 1 AS ok" }
                        }
                        """.formatted(WORKERS, proxy.port(), uri.getPath(), postgres.user(),
                                postgres.password()));
                var crowd = new Crowd(gateway.port(), WORKERS)) {
            var pool = new PoolScrape(gateway.adminPort(), "main");
            await().atMost(ofMinutes(2)).until(() -> pool.connections() == WORKERS);
            crowd.ask("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
            await().until(() -> pool.busy() == WORKERS);

            proxy.begin(Outage.LOST);
            await().until(() -> gateway.getAdmin("/readyz").statusCode() == 503);
            proxy.end();

            await("answered again").pollInterval(ofMillis(100)).until(() -> areAnswered(gateway));
            assertThat(gateway.getAdmin("/readyz").statusCode()).isEqualTo(200);
            await().until(pool::isIdle);
        }
    }

    private static boolean areAnswered(RunningGateway gateway) throws Exception {
        for (int i = 0; i < 5 * WORKERS; i++) {
            if (gateway.send(gateway.request("/quick").header("X-Request-Timeout", "10s"))
                    .statusCode() != 200) {
                return false;
            }
        }
        return true;
    }
}
