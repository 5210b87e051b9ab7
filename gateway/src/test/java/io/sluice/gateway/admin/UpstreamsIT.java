package io.sluice.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code GET /upstreams} of a gateway whose upstream is another gateway. */
class UpstreamsIT {
    private static final JsonMapper JSON = new JsonMapper();

    private RunningGateway origin;
    private RunningGateway gateway;

    @BeforeEach
    void start() {
        origin = RunningGateway.start("""
                sluice.routes {
                  quick { path = "/quick", handler = text, text = hi }
                  long { path = "/long", handler = delay, duration = 1m, max = 1m, deadline = 5m }
                }
                """);
        gateway = RunningGateway.start("""
                sluice {
                  server.worker-threads = 1
                  upstreams.shop {
                    endpoints = ["http://127.0.0.1:%d weight=3"], concurrency = 1, queue-limit = 1
                  }
                  routes.shop { path = "/**", handler = proxy, upstream = shop }
                }
                """.formatted(origin.port()));
    }

    @AfterEach
    void stop() {
        gateway.close();
        origin.close();
    }

    @Test
    void showEachUpstreamAndItsEndpoints() throws Exception {
        assertThat(upstream().get("advice").asString())
                .isEqualTo("idle: nothing has run yet, so the capacity of 1 concurrent requests is unknown");
        gateway.get("/quick");

        JsonNode upstream = await().until(this::upstream, shown -> shown.get("busy").asInt() == 0);
        assertThat(upstream.get("name").asString()).isEqualTo("shop");
        assertThat(upstream.get("advice").asString()).startsWith("ok: 1 concurrent requests x ");
        assertThat(upstream.get("concurrency").asInt()).isEqualTo(1);
        assertThat(upstream.get("capacityPerSecond").asDouble()).isPositive();
        assertThat(upstream.get("arrivalsPerSecond").asDouble()).isPositive();
        assertThat(upstream.get("inUse").asDouble()).isBetween(0.0, 1.0);
        assertThat(upstream.get("meanTimeMs").asDouble()).isPositive();
        assertThat(upstream.get("refused").toString())
                .isEqualTo("{\"closed\":0,\"queue_full\":0,\"too_late\":0}");
        assertThat(upstream.get("cancelled").toString())
                .isEqualTo("{\"connecting\":0,\"queued\":0,\"sent\":0,\"streaming\":0}");
        assertThat(upstream.get("retries").toString())
                .isEqualTo("{\"connect\":0,\"response\":0,\"stale\":0,\"unavailable\":0}");
        JsonNode endpoint = upstream.get("endpoints").get(0);
        assertThat(endpoint.get("endpoint").asString()).isEqualTo("http://127.0.0.1:" + origin.port());
        assertThat(endpoint.get("address").asString()).isEqualTo("127.0.0.1:" + origin.port());
        assertThat(endpoint.get("state").asString()).isEqualTo("up");
        assertThat(endpoint.get("inFlight").asInt()).isZero();
        assertThat(endpoint.get("connections").toString())
                .isEqualTo("{\"connecting\":0,\"active\":0,\"idle\":1}");
        assertThat(endpoint.get("firstByteMs").asDouble()).isPositive();
        assertThat(endpoint.get("weight").asInt()).isEqualTo(3);
        assertThat(endpoint.get("failures").get("connect").asInt()).isZero();
        assertThat(endpoint.get("unexpectedData").asInt()).isZero();
    }

    @Test
    void showBusyQueuedAndCancelledRequests() throws Exception {
        String request = "GET /long HTTP/1.1\r\nHost: x\r\n\r\n";
        try (RawClient running = gateway.connect(); RawClient waiting = gateway.connect()) {
            running.send(request);
            await().until(this::upstream, shown -> shown.get("busy").asInt() == 1);
            waiting.send(request);
            await().until(this::upstream, shown -> shown.get("queued").asInt() == 1);
            assertThat(gateway.get("/quick").statusCode()).isEqualTo(503);

            JsonNode upstream = upstream();
            assertThat(upstream.get("refused").get("queue_full").asInt()).isEqualTo(1);
            JsonNode endpoint = upstream.get("endpoints").get(0);
            assertThat(endpoint.get("inFlight").asInt()).isEqualTo(1);
            assertThat(endpoint.get("connections").get("active").asInt()).isEqualTo(1);
        }
        await().until(this::upstream, shown -> shown.get("cancelled").get("sent").asInt() >= 1
                && shown.get("busy").asInt() == 0 && shown.get("queued").asInt() == 0);
    }

    @Test
    void doNotDecideWhetherTheGatewayIsReady() throws Exception {
        origin.close();
        assertThat(gateway.get("/quick").statusCode()).isEqualTo(502);
        assertThat(gateway.get("/quick").statusCode()).isEqualTo(502);

        JsonNode upstream = await().until(this::upstream, shown -> shown.get("busy").asInt() == 0);
        assertThat(upstream.get("advice").asString()).startsWith("down: no endpoint is up; ");
        assertThat(upstream.get("endpoints").get(0).get("state").asString()).isEqualTo("down");
        assertThat(gateway.getAdmin("/readyz").statusCode()).isEqualTo(200);
    }

    private JsonNode upstream() throws Exception {
        return JSON.readTree(gateway.getAdmin("/upstreams").body()).get("upstreams").get(0);
    }
}
