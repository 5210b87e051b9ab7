package io.sluice.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RunningGateway;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class PoolsIT {
    private static final JsonMapper JSON = new JsonMapper();

    @ParameterizedTest
    @ValueSource(strings = {"platform", "virtual"})
    void tellOfEachPool(String kind) throws Exception {
        try (RunningGateway gateway = RunningGateway.start("""
                sluice {
                  offload.pools.few { kind = %s, workers = 2, queue-limit = 1 }
                  routes {
                    sleep { path = "/sleep", handler = delay, mode = blocking, pool = few, duration = 1s }
                    never { path = "/never", handler = delay, mode = blocking, pool = few, duration = 10s
                            deadline = 100ms }
                  }
                }""".formatted(kind))) {
            assertThat(pool(gateway).get("advice").asString()).startsWith("2 workers; nothing has run yet");
            assertThat(gateway.get("/never").statusCode()).isEqualTo(504);

            var answers = new ArrayList<CompletableFuture<Integer>>();
            for (int i = 0; i < 2; i++) {
                answers.add(ask(gateway));
            }
            await().until(() -> pool(gateway).get("busy").asInt() == 2);
            answers.add(ask(gateway));
            await().until(() -> pool(gateway).get("queued").asInt() == 1);
            answers.add(ask(gateway));

            assertThat(answers).extracting(CompletableFuture::join)
                    .containsExactlyInAnyOrder(200, 200, 200, 503);
            JsonNode pool = pool(gateway);
            assertThat(pool.get("name").asString()).isEqualTo("few");
            assertThat(pool.get("workers").asInt()).isEqualTo(2);
            assertThat(pool.get("refused").toString())
                    .isEqualTo("{\"closed\":0,\"queue_full\":1,\"too_late\":0}");
            assertThat(pool.get("cancelled").get("running").asInt()).isEqualTo(1);
            assertThat(pool.get("capacityPerSecond").asDouble()).isBetween(1.0, 5.0);
            assertThat(pool.get("arrivalsPerSecond").asDouble()).isPositive();
            assertThat(pool.get("inUse").asDouble()).isBetween(0.01, 1.0);
            assertThat(pool.get("runTime").get("count").asInt()).isEqualTo(4);
            assertThat(pool.get("runTime").get("countUpToMs").get("2500").asInt()).isEqualTo(4);
            assertThat(pool.get("queueTime").get("maxMs").asDouble()).isPositive();
            assertThat(pool.get("advice").asString())
                    .matches("2 workers x \\d+ ms = .*/s; \\d+ % in use; .*");
        }
    }

    @Test
    void areNoneWhereNoneAreConfigured() throws Exception {
        try (RunningGateway gateway = RunningGateway.start("")) {
            assertThat(gateway.getAdmin("/pools").body()).isEqualTo("{\"pools\":[]}");
        }
    }

    private static CompletableFuture<Integer> ask(RunningGateway gateway) {
        return gateway.client().sendAsync(gateway.request("/sleep").build(),
                BodyHandlers.discarding()).thenApply(HttpResponse::statusCode);
    }

    private static JsonNode pool(RunningGateway gateway) throws Exception {
        return JSON.readTree(gateway.getAdmin("/pools").body()).get("pools").get(0);
    }
}
