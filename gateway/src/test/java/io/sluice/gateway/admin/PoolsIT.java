package io.sluice.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class PoolsIT {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String LONG = "GET /long HTTP/1.1\r\nHost: x\r\n\r\n";

    @ParameterizedTest
    @ValueSource(strings = {"platform", "virtual"})
    void showEachPool(String kind) throws Exception {
        try (RunningGateway gateway = RunningGateway.start("""
                sluice {
                  offload.pools.few { kind = %s, workers = 2, queue-limit = 1 }
                  routes {
                    quick { path = "/quick", handler = delay, mode = blocking, pool = few, duration = 20ms }
                    late = ${sluice.routes.long} { path = "/late", deadline = 1s }
                    long { path = "/long", handler = delay, mode = blocking, pool = few, duration = 1m
                           max = 1m, deadline = 5m }
                  }
                }""".formatted(kind));
                RawClient first = gateway.connect(); RawClient second = gateway.connect();
                RawClient third = gateway.connect()) {
            assertThat(pool(gateway).get("advice").asString()).startsWith("idle: nothing has run yet");
            assertThat(gateway.get("/quick").statusCode()).isEqualTo(200);
            assertThat(gateway.get("/late").statusCode()).isEqualTo(504);
            awaitPool(gateway, 0, 0);

            first.send(LONG);
            second.send(LONG);
            awaitPool(gateway, 2, 0);
            third.send(LONG);
            awaitPool(gateway, 2, 1);
            assertThat(gateway.get("/quick").statusCode()).isEqualTo(503);

            third.socket().close();
            awaitPool(gateway, 2, 0);
            first.socket().close();
            second.socket().close();
            awaitPool(gateway, 0, 0);
            JsonNode pool = pool(gateway);
            assertThat(pool.get("name").asString()).isEqualTo("few");
            assertThat(pool.get("workers").asInt()).isEqualTo(2);
            assertThat(pool.get("refused").toString())
                    .isEqualTo("{\"closed\":0,\"queue_full\":1,\"too_late\":0}");
            assertThat(pool.get("cancelled").get("running").asInt()).isEqualTo(3);
            assertThat(pool.get("cancelled").get("queued").asInt()).isEqualTo(1);
            assertThat(pool.get("capacityPerSecond").asDouble()).isPositive();
            assertThat(pool.get("arrivalsPerSecond").asDouble()).isPositive();
            assertThat(pool.get("inUse").asDouble()).isBetween(0.0, 1.0);
            assertThat(pool.get("runTime").get("count").asInt()).isEqualTo(4);
            assertThat(pool.get("runTime").get("countUpToMs").get("10").asInt()).isZero();
            assertThat(pool.get("queueTime").get("maxMs").asDouble()).isPositive();
            assertThat(pool.get("advice").asString())
                    .contains("2 workers x ").containsPattern("[0-9.]+ ms = .*/s, \\d+ % in use");
        }
    }

    /** Waits for the numbers of tasks, since a worker becomes free a moment after its answer is sent. */
    private static void awaitPool(RunningGateway gateway, int busy, int queued) {
        await().until(() -> pool(gateway), pool -> pool.get("busy").asInt() == busy
                && pool.get("queued").asInt() == queued);
    }

    @Test
    void listIsEmptyWithoutPools() throws Exception {
        try (RunningGateway gateway = RunningGateway.start("")) {
            assertThat(gateway.getAdmin("/pools").body()).isEqualTo("{\"pools\":[]}");
        }
    }

    private static JsonNode pool(RunningGateway gateway) throws Exception {
        return JSON.readTree(gateway.getAdmin("/pools").body()).get("pools").get(0);
    }
}
