package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The CPU time of the longest event-loop task that single clients can cause. */
class HostileClientsIT {
    private static final Duration BUDGET = Duration.ofMillis(10);
    private static final int MIB = 1 << 20;
    private static final int ELEMENTS = 510_000;

    private RunningGateway gateway;

    @BeforeEach
    void start() {
        gateway = RunningGateway.start("""
                sluice.offload.pools.main {}
                sluice.databases.main { url = "jdbc:h2:mem:hostile", pool = main }
                sluice.topics.news {}
                sluice.route-defaults { max-body = 2MiB, compression = {} }
                sluice.routes {
                  rpc { path = "/rpc", handler = ws-rpc, socket { max-message = 2MiB } }
                  hello { path = "/hello", handler = text, text = hello }
                  wide {
                    path = "/wide", handler = query, database = main, single = true
                    sql = "SELECT REPEAT('x', 800000) AS doc"
                  }
                  body {
                    path = "/body", methods = [POST], handler = query, database = main
                    sql = "SELECT CAST(:a AS VARCHAR) AS a", parameters { a { type = text, from = body } }
                  }
                  echo { path = "/echo", handler = ws-echo }
                  topic { path = "/topic/{topic}", handler = ws-topic, topics = news }
                  publish { path = "/publish/{topic}", handler = publish, topics = news }
                }
                """);
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private void assertWithinBudget(LoopBudget.Attack attack) throws Exception {
        gateway.loopBudget().requireBelow(BUDGET, attack);
    }

    @Test
    void requestsOverASocketWithEndlessQueries() throws Exception {
        String bomb = "{\"id\":1,\"path\":\"/hello\",\"query\":{\"a\":[" + "1,".repeat(ELEMENTS) + "1]}}";
        try (var client = SocketClient.connect(gateway, "/rpc")) {
            assertWithinBudget(() -> assertThat(client.send(bomb).next()).contains("\"status\":4"));
        }
    }

    @Test
    void requestsOverASocketWithBodiesOfManyTokens() throws Exception {
        String bomb = "{\"id\":1,\"method\":\"POST\",\"path\":\"/body\",\"body\":{\"b\":["
                + "1,".repeat(ELEMENTS) + "1]}}";
        try (var client = SocketClient.connect(gateway, "/rpc")) {
            assertWithinBudget(() -> assertThat(client.send(bomb).next()).contains("\"id\":1,\"status\":4"));
        }
    }

    @Test
    void largeAnswersOverASocket() throws Exception {
        try (var client = SocketClient.connect(gateway, "/rpc")) {
            assertWithinBudget(() -> {
                for (int i = 0; i < 5; i++) {
                    client.send("{\"path\":\"/wide\"}");
                }
                for (int i = 0; i < 5; i++) {
                    assertThat(client.next()).hasSizeGreaterThan(800_000);
                }
            });
        }
    }

    @Test
    void bodiesWithManyMembers() throws Exception {
        String members = IntStream.range(0, 100_000).mapToObj(i -> "\"m" + i + "\":1")
                .collect(Collectors.joining(",", "{", "}"));
        var request = gateway.request("/body").header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(members));
        assertWithinBudget(() -> assertThat(gateway.send(request).statusCode()).isEqualTo(400));
    }

    @Test
    void largeMessagesThatComeBack() throws Exception {
        String text = "a".repeat(MIB);
        try (var client = SocketClient.connect(gateway, "/echo")) {
            assertWithinBudget(() -> assertThat(client.send(text).next()).hasSize(MIB));
        }
    }

    @Test
    void largeMessagesForManySubscribers() throws Exception {
        String text = "a".repeat(MIB);
        try (var one = SocketClient.connect(gateway, "/topic/a");
                var two = SocketClient.connect(gateway, "/topic/a")) {
            assertWithinBudget(() -> {
                assertThat(gateway.post("/publish/a", text).statusCode()).isEqualTo(200);
                assertThat(one.next()).hasSize(MIB);
                assertThat(two.next()).hasSize(MIB);
            });
        }
    }
}
