package io.sluice.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The meters of an upstream whose endpoint is another gateway. */
class UpstreamMetersIT {
    private static final String CONFIG = """
            sluice {
              server.worker-threads = 2
              upstreams.shop { endpoints = [%s], concurrency = 1, queue-limit = 1 }
              routes.shop { path = "/shop/{page}", handler = proxy, upstream = shop }
            }
            """;

    private RunningGateway origin;

    @BeforeEach
    void start() {
        origin = RunningGateway.start("""
                sluice.routes {
                  book { path = "/shop/book", handler = text, text = book }
                  slow { path = "/shop/slow", handler = delay, duration = 1m, max = 1m, deadline = 5m }
                }
                """);
    }

    @AfterEach
    void stop() {
        origin.close();
    }

    private String endpoint() {
        return "http://127.0.0.1:" + origin.port();
    }

    private static RunningGateway before(String... endpoints) {
        return RunningGateway.start(config(endpoints));
    }

    private static String config(String... endpoints) {
        return CONFIG.formatted('"' + String.join("\", \"", endpoints) + '"');
    }

    @Test
    void haveTheRouteItsUpstreamAndTheEndpoint() throws Exception {
        try (RunningGateway gateway = before(endpoint())) {
            gateway.get("/shop/book");
            gateway.get("/shop/book");
            gateway.get("/shop/none");

            String client = "http_client_requests_seconds_count{method=\"GET\",outcome=\"%s\",status=\"%d\","
                    + "uri=\"/shop/{page}\"} %d";
            String upstream = "{upstream=\"shop\"} ";
            String endpoint = "{endpoint=\"" + endpoint() + "\",upstream=\"shop\"} ";
            await().untilAsserted(() -> assertThat(scrape(gateway)).contains(
                    client.formatted("SUCCESS", 200, 2),
                    client.formatted("CLIENT_ERROR", 404, 1),
                    "sluice_upstream_run_time_seconds_count" + upstream + 3));
            assertThat(scrape(gateway)).contains(
                    "sluice_upstream_concurrency" + upstream + "1.0",
                    "sluice_upstream_busy" + upstream + "0.0",
                    "sluice_upstream_queued" + upstream + "0.0",
                    "sluice_upstream_queue_time_seconds_count" + upstream + 3,
                    "sluice_upstream_refused_total{reason=\"queue_full\",upstream=\"shop\"} 0.0",
                    "sluice_upstream_retries_total{reason=\"connect\",upstream=\"shop\"} 0.0",
                    "sluice_upstream_first_byte_seconds_count" + endpoint + 3,
                    "sluice_upstream_endpoint_requests" + endpoint + "0.0",
                    "sluice_upstream_unexpected_data_total" + endpoint + "0.0",
                    "sluice_upstream_failures_total{endpoint=\"%s\",stage=\"connect\",upstream=\"shop\"} 0.0"
                            .formatted(endpoint()),
                    "sluice_upstream_endpoint_state{endpoint=\"%s\",state=\"up\",upstream=\"shop\"} 1.0"
                            .formatted(endpoint()),
                    "sluice_upstream_connections{endpoint=\"%s\",state=\"active\",upstream=\"shop\"} 0.0"
                            .formatted(endpoint()))
                    .anyMatch(line -> line.startsWith("sluice_upstream_connect_seconds_count" + endpoint))
                    .anyMatch(line -> line.startsWith("sluice_upstream_capacity" + upstream));
        }
    }

    @Test
    void countRefusedAndCancelledRequests() throws Exception {
        try (RunningGateway gateway = before(endpoint());
                RawClient running = gateway.connect(); RawClient waiting = gateway.connect()) {
            String slow = "GET /shop/slow HTTP/1.1\r\nHost: x\r\n\r\n";
            running.send(slow);
            awaitLine(gateway, "sluice_upstream_busy{upstream=\"shop\"} 1.0");
            waiting.send(slow);
            awaitLine(gateway, "sluice_upstream_queued{upstream=\"shop\"} 1.0");

            assertThat(gateway.get("/shop/book").statusCode()).isEqualTo(503);
            awaitLine(gateway, "sluice_upstream_refused_total{reason=\"queue_full\",upstream=\"shop\"} 1.0");

            waiting.socket().close();
            awaitLine(gateway, "sluice_upstream_cancelled_total{stage=\"queued\",upstream=\"shop\"} 1.0");
            running.socket().close();
            awaitLine(gateway, "sluice_upstream_cancelled_total{stage=\"sent\",upstream=\"shop\"} 1.0");
            awaitLine(gateway, "http_client_requests_seconds_count{method=\"GET\",outcome=\"UNKNOWN\","
                    + "status=\"CLIENT_ERROR\",uri=\"/shop/{page}\"} 1");
        }
    }

    @Test
    void countRetriesAndFailures() throws Exception {
        String dead = "http://127.0.0.1:" + RunningGateway.freePort();
        try (RunningGateway gateway = before(dead)) {
            assertThat(gateway.get("/shop/book").statusCode()).isEqualTo(502);

            awaitLine(gateway, "sluice_upstream_retries_total{reason=\"connect\",upstream=\"shop\"} 1.0");
            awaitLine(gateway, ("sluice_upstream_failures_total{endpoint=\"%s\",stage=\"connect\","
                    + "upstream=\"shop\"} 2.0").formatted(dead));
            awaitLine(gateway, "http_client_requests_seconds_count{method=\"GET\",outcome=\"UNKNOWN\","
                    + "status=\"IO_ERROR\",uri=\"/shop/{page}\"} 1");
        }
    }

    @Test
    void goWithTheirUpstreamAndItsRoutes() throws Exception {
        try (RunningGateway gateway = before(endpoint())) {
            gateway.get("/shop/book");
            await().until(() -> scrape(gateway), lines -> lines.stream().anyMatch(line ->
                    line.startsWith("http_client_requests_seconds_count")));

            gateway.reload("sluice.routes.a { path = /, handler = text, text = a }");

            await().until(() -> scrape(gateway), lines -> lines.stream().noneMatch(line ->
                    line.startsWith("sluice_upstream") || line.startsWith("http_client_requests")));
        }
    }

    private static void awaitLine(RunningGateway gateway, String line) {
        await().untilAsserted(() -> assertThat(scrape(gateway)).contains(line));
    }

    private static List<String> scrape(RunningGateway gateway) throws Exception {
        return gateway.getAdmin("/metrics").body().lines().filter(line -> !line.startsWith("#")).toList();
    }
}
