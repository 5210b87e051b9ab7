package io.sluice.gateway.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RunningGateway;
import org.junit.jupiter.api.Test;

/** {@code /readyz} and the meters of readiness, of a gateway whose database is unreachable. */
class HealthIT {
    private static final String CONFIG = """
            sluice {
              offload.pools.shop { workers = 1 }
              databases.shop { url = "jdbc:postgresql://127.0.0.1:1/shop", pool = shop, %s }
              routes.hello { path = "/", handler = text, text = hi }
            }
            """;

    @Test
    void anUnreachableDatabaseAffectsReadinessUnlessItIsConfiguredNotTo() throws Exception {
        try (var gateway = RunningGateway.start(CONFIG.formatted("affects-readiness = false"))) {
            assertReadiness(gateway, 200, 1);

            gateway.reload(CONFIG.formatted(""));
            assertReadiness(gateway, 503, 0);
        }
    }

    private static void assertReadiness(RunningGateway gateway, int status, int ready) throws Exception {
        var answer = gateway.getAdmin("/readyz");
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.body()).contains("\"databases\":{\"shop\":false}");
        assertThat(gateway.getAdmin("/metrics").body().lines())
                .contains("sluice_ready " + ready + ".0", "sluice_database_reachable{database=\"shop\"} 0.0");
    }
}
