package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DemoIT {
    private static RunningGateway gateway;

    @BeforeAll
    static void start() {
        gateway = RunningGateway.demo();
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "/benchmark/hello                      | Hello, World!",
        "/benchmark/health                     | OK",
        "/benchmark/cpu                        | {\"n\":35,\"result\":9227465}",
        "/benchmark/cpu?n=90                   | {\"n\":90,\"result\":2880067194370816120}",
        "/benchmark/cpu-heavy?limit=10000      | {\"n\":10000,\"result\":1229}",
        "/benchmark/cpu-heavy?limit=1000000    | {\"n\":1000000,\"result\":78498}",
        "/benchmark/latency?ms=5               | {\"delayMs\":5}",
        "/benchmark/latency-blocking?ms=5      | {\"delayMs\":5}",
        "/benchmark/mixed                      | {\"delayMs\":50,\"fibonacci\":6765}",
        "/benchmark/jdbc?ms=5                  | {\"slept\":null}",
    })
    void answersTheBenchmarkEndpoints(String target, String body) throws Exception {
        HttpResponse<String> answer = gateway.get(target);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(body);
    }

    @Test
    void proxiesToItself() throws Exception {
        int port = RunningGateway.freePort();
        try (var demo = RunningGateway.startAtPorts("""
                include classpath("demo.conf")
                sluice.server.port = %d
                """.formatted(port))) {
            JsonNode seen = JsonMapper.shared().readTree(demo.get("/legacy/echo").body());

            assertThat(seen.get("path").asString()).isEqualTo("/echo");
            assertThat(seen.get("headers").toString())
                    .contains("{\"name\":\"X-Forwarded-For\",\"value\":\"127.0.0.1\"}")
                    .contains("{\"name\":\"X-Forwarded-Host\",\"value\":\"127.0.0.1:" + port + "\"}")
                    .contains("{\"name\":\"Via\",\"value\":\"1.1 sluice\"}");
            assertThat(demo.post("/legacy/echo", "hello").body()).isEqualTo("hello");
            assertThat(demo.getAdmin("/upstreams").body()).contains("http://127.0.0.1:" + port);
        }
    }

    @Test
    void unreachableUpstreamGets502() throws Exception {
        HttpResponse<String> answer = gateway.get("/gone");

        assertThat(answer.statusCode()).isEqualTo(502);
        assertThat(answer.body()).contains("connect: the upstream cannot be reached");
    }

    @Test
    void answersRowsOfTheSampleSchema() throws Exception {
        assertThat(gateway.get("/orders/7/lines").body()).isEqualTo("[" + String.join(",",
                "{\"line\":1,\"product\":\"valve\",\"quantity\":8,\"unit_price\":8.60}",
                "{\"line\":2,\"product\":\"gauge\",\"quantity\":6,\"unit_price\":9.61}",
                "{\"line\":3,\"product\":\"flange\",\"quantity\":4,\"unit_price\":10.62}",
                "{\"line\":4,\"product\":\"pipe\",\"quantity\":2,\"unit_price\":11.63}") + "]");
    }
}
