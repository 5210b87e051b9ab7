package io.sluice.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.GatewayProcess;
import io.sluice.gateway.RawClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A gateway with a small heap, and a full queue of queries whose values would be larger together. */
class QueuedQueriesIT {
    private static final int CLIENTS = 450;
    private static final String ID = "123e4567-e89b-12d3-a456-426614174000";

    private static GatewayProcess gateway;
    private static RawClient running;

    @BeforeAll
    static void start() throws IOException {
        gateway = GatewayProcess.start("""
                sluice {
                  offload.pools.one { workers = 1, queue-limit = %d }
                  databases.h2 { url = "jdbc:h2:mem:", pool = one, user = sluice }
                  databases.h2.init-script = "sample-h2.sql"
                  handler-defaults.query.database = h2
                  routes {
                    hello { path = "/", handler = text, text = hello }
                    long { path = "/long", handler = query, sql = "SELECT sleep(60000)", deadline = 60s }
                    arrays {
                      path = "/arrays", methods = [POST], handler = query, sql = "SELECT :a, :b, :c, :d"
                      parameters.a { type = "text[]", from = body }
                      parameters.b = ${sluice.routes.arrays.parameters.a}
                      parameters.c = ${sluice.routes.arrays.parameters.a}
                      parameters.d { type = "decimal[]", from = body }
                    }
                    query { path = "/query", handler = query, sql = "SELECT :v" }
                    query.parameters.v.type = "uuid[]"
                    lines {
                      path = "/lines", methods = [POST], handler = query, sql = "SELECT 1"
                      write.steps = [{ each = lines
                        sql = "DELETE FROM items WHERE name IN (:lines.a, :lines.b)" }]
                      parameters."lines.a" { type = text, required = false }
                      parameters."lines.b" { type = text, required = false }
                    }
                  }
                }
                """.formatted(CLIENTS), "-Xmx64m", "-XX:MaxDirectMemorySize=64m",
                "-XX:+ExitOnOutOfMemoryError");
        running = new RawClient(gateway.port()).send(get("/long"));
        await().until(() -> pools().contains("\"busy\":1"));
    }

    @AfterAll
    static void stop() throws IOException {
        running.close();
        gateway.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"arrays in a body", "arrays in a query", "steps for lines"})
    void valuesWaitAsBytes(String kind) throws Exception {
        String request = switch (kind) {
            case "arrays in a body" -> {
                String texts = "[" + "\"x\",".repeat(1000) + "\"x\"]";
                yield post("/arrays", "{\"a\":%s,\"b\":%1$s,\"c\":%1$s,\"d\":[%s1]}"
                        .formatted(texts, "1,".repeat(1000)));
            }
            case "arrays in a query" -> get("/query?v=" + ID + ("&v=" + ID).repeat(180));
            default -> post("/lines", "{\"lines\":[" + "{\"a\":\"x\"},".repeat(999) + "{}]}");
        };
        try (var _ = new StubbornClients(gateway.port(), CLIENTS, bytes(request))) {
            await().untilAsserted(() -> assertThat(pools()).contains("\"queued\":" + CLIENTS));
            assertThat(hello()).isEqualTo(200);
        }
        await().until(() -> pools().contains("\"queued\":0"));
    }

    private static String get(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n";
    }

    private static String post(String target, String body) {
        return "POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(target, body.length(), body);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String pools() throws IOException {
        try (var client = new RawClient(gateway.adminPort())) {
            return client.send(get("/pools")).read().body();
        }
    }

    private static int hello() throws IOException {
        try (var client = new RawClient(gateway.port())) {
            return client.send(get("/")).read().status();
        }
    }
}
