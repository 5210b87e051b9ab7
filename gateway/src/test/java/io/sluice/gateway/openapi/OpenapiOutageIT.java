package io.sluice.gateway.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RunningGateway;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The document while a database cannot be reached, and afterwards. */
class OpenapiOutageIT {
    @Test
    void anIncompleteDocumentSaysSoAndIsNotToBeKept() throws Exception {
        int port = RunningGateway.freePort();
        try (var gateway = RunningGateway.start("""
                sluice {
                  offload.pools.main { workers = 1, queue-limit = 10 }
                  databases.late { url = "jdbc:h2:tcp://127.0.0.1:%d/mem:late;DATABASE_TO_LOWER=TRUE"
                    user = sa, pool = main, probe-interval = 100ms, connection-timeout = 1s }
                  routes {
                    document { path = "/openapi.json", handler = openapi }
                    one { path = "/one", handler = query, database = late, sql = "SELECT 1 AS one" }
                    text { path = "/text", handler = text, text = hi }
                  }
                }
                """.formatted(port))) {
            HttpResponse<String> incomplete = gateway.get("/openapi.json");
            assertThat(incomplete.headers().firstValue("cache-control")).hasValue("no-store");
            assertThat(Described.JSON.readTree(incomplete.body()).path("x-incomplete"))
                    .hasToString("[\"one\"]");

            Server database =
                    Server.createTcpServer("-tcpPort", String.valueOf(port), "-ifNotExists").start();
            try {
                HttpResponse<String> complete = await().atMost(Duration.ofSeconds(60)).until(
                        () -> gateway.get("/openapi.json"),
                        each -> each.headers().firstValue("cache-control").orElseThrow().equals("no-cache"));
                JsonNode document = Described.JSON.readTree(complete.body());
                assertThat(document.has("x-incomplete")).isFalse();
                assertThat(new Described(document).responses("/one", "get")
                        .at("/200/content/application~1json/schema/items/properties").has("one")).isTrue();

                assertThat(notModified(gateway, tag(complete))).isEqualTo(304);
                assertThat(notModified(gateway, tag(incomplete))).isEqualTo(200);
            } finally {
                database.stop();
            }
        }
    }

    private static String tag(HttpResponse<String> document) {
        return document.headers().firstValue("etag").orElseThrow();
    }

    private static int notModified(RunningGateway gateway, String tag) throws Exception {
        return gateway.send(gateway.request("/openapi.json").header("If-None-Match", tag)).statusCode();
    }
}
