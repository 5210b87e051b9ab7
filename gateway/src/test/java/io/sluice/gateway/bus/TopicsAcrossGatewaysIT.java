package io.sluice.gateway.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.SocketClient;
import io.sluice.gateway.offload.LiveEvents;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Topics that several gateways share through a Redis. */
class TopicsAcrossGatewaysIT {
    private static final String DATABASE =
            "jdbc:h2:mem:live-bus;MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE";

    private static RedisServer redis;

    @BeforeAll
    static void startRedis() throws Exception {
        redis = RedisServer.start();
    }

    @AfterAll
    static void stopRedis() {
        redis.close();
    }

    private static String config() {
        return """
                sluice {
                  server.worker-threads = 2
                  buses.redis { url = "%s", publish-timeout = 20s }
                  topics.news { bus = redis, last-messages = 1MiB, history {} }
                  routes {
                    subscribe { path = "/ws/{topic}", handler = ws-topic, topics = news }
                    publish { path = "/topics/{topic}", handler = publish, topics = news, deadline = 60s }
                    text { path = /text, handler = text, text = hi }
                  }
                }
                """.formatted(redis.url());
    }

    private static RunningGateway start() {
        return RunningGateway.start(config());
    }

    private static void awaitConnected(RunningGateway gateway, boolean connected) {
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() ->
                assertThat(gateway.getAdmin("/buses").body()).contains("\"connected\":" + connected));
    }

    private static String id(String answer) {
        return answer.replaceAll(".*\"id\":\"|\".*", "");
    }

    @Test
    void aMessageGoesToTheSocketsOfBothAndAClientMayMove() throws Exception {
        try (var one = start(); var other = start()) {
            awaitConnected(one, true);
            awaitConnected(other, true);
            String seen;
            try (var raw = SocketClient.connect(one, "/ws/a");
                    var placed = SocketClient.connect(other, "/ws/a?after=")) {
                placed.next();
                raw.send("by a socket");
                assertThat(raw.next()).isEqualTo("by a socket");
                assertThat(placed.next()).contains("\"data\":\"by a socket\"");
                String answer = other.post("/topics/a", "by POST").body();
                assertThat(answer).endsWith(",\"subscribers\":1}");
                assertThat(raw.next()).isEqualTo("by POST");
                seen = id(placed.next());
                assertThat(seen).isEqualTo(id(answer));
            }
            try (var staying = SocketClient.connect(other, "/ws/a")) {
                assertThat(staying.next()).isEqualTo("by POST");
                other.post("/topics/a", "meanwhile");
                try (var back = SocketClient.connect(one, "/ws/a?after=" + seen)) {
                    assertThat(back.next()).contains("\"data\":\"meanwhile\"");
                }
                assertThat(staying.next()).isEqualTo("meanwhile");
            }
            try (var late = SocketClient.connect(other, "/ws/a")) {
                assertThat(late.next()).isEqualTo("meanwhile");
            }
        }
    }

    @Test
    void aKeyIsPublishedOnce() throws Exception {
        try (var one = start(); var other = start()) {
            awaitConnected(one, true);
            awaitConnected(other, true);
            String first = publish(one, "order 7").body();
            assertThat(id(publish(other, "order 7").body())).isEqualTo(id(first));
        }
    }

    private static HttpResponse<String> publish(RunningGateway gateway, String text)
            throws Exception {
        return gateway.send(gateway.request("/topics/b").header("Idempotency-Key", "k")
                .POST(HttpRequest.BodyPublishers.ofString(text)));
    }

    @Test
    void withoutTheBusAGatewayStartsAndItsTopicsAnswer503() throws Exception {
        redis.stop();
        try (var gateway = start()) {
            awaitConnected(gateway, false);
            assertThat(gateway.getAdmin("/readyz").statusCode()).isEqualTo(200);
            assertThat(gateway.get("/text").body()).isEqualTo("hi");
            assertThat(gateway.post("/topics/c", "x").statusCode()).isEqualTo(503);
            assertThat(gateway.post("/topics/c", "x").body()).contains("bus", "not connected");
            assertThat(SocketClient.refusal(gateway, "/ws/c")).isEqualTo(503);

            redis.startEmpty();
            awaitConnected(gateway, true);
            try (var socket = SocketClient.connect(gateway, "/ws/c?after=")) {
                socket.next();
                assertThat(gateway.post("/topics/c", "y").statusCode()).isEqualTo(200);
                assertThat(socket.next()).contains("\"y\"");

                redis.stop();
                awaitConnected(gateway, false);
                socket.send("lost");
                assertThat(socket.closeCode()).isEqualTo(1013);
            }
            redis.startEmpty();
            awaitConnected(gateway, true);
            assertThat(gateway.getAdmin("/metrics").body()).contains(
                    "sluice_bus_connected{bus=\"redis\"} 1.0",
                    "sluice_bus_publish_seconds_count{bus=\"redis\"}",
                    "sluice_bus_refused_total{bus=\"redis\"}", "sluice_bus_reconnects_total{bus=\"redis\"}",
                    "sluice_topics_resyncs_total{topics=\"news\"}");
        }
    }

    @Test
    void aReloadKeepsABusThatIsTheSameAndDrainsSocketsOfAnother() throws Exception {
        try (var gateway = start()) {
            awaitConnected(gateway, true);
            try (var socket = SocketClient.connect(gateway, "/ws/d")) {
                gateway.reload(config().replace("route", "log.slow = 2s, route"));
                assertThat(socket.isSilent()).isTrue();
                gateway.reload(config().replace("publish-timeout", "queue-limit = 9, publish-timeout"));
                assertThat(socket.closeCode()).isEqualTo(1001);
            }
        }
    }

    /** The wait ends after 2 s. A busy machine may not connect within them, so that it is tried again. */
    @Test
    void aReloadWaitsForANewBus() throws Exception {
        var limits = IntStream.iterate(9, limit -> limit + 1).iterator();
        try (var gateway = start(); var later = Executors.newSingleThreadScheduledExecutor()) {
            await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
                redis.stop();
                var back = later.schedule(() -> {
                    redis.startEmpty();
                    return "back";
                }, 150, TimeUnit.MILLISECONDS);
                gateway.reload(config().replace(
                        "publish-timeout", "queue-limit = " + limits.next() + ", publish-timeout"));
                int status = gateway.post("/topics/d", "x").statusCode();
                assertThat(back.get()).isEqualTo("back");
                assertThat(status).isEqualTo(200);
            });
        }
    }

    private static String liveConfig() {
        return config().replace("history {}", "history {}, presence { interval = 20ms }") + """
                sluice {
                  offload.pools.shop { workers = 2 }
                  databases.shop { url = "%s", user = sluice, password = "", pool = shop }
                  routes {
                    orders { path = "/orders/{id}", handler = query, database = shop, single = true
                      sql = "SELECT state FROM live_orders WHERE id = :id", parameters.id.type = long
                      live { topics = news, topic = "orders.{id}", interval = 20ms, max-results = 2 } }
                    present { path = "/presence/{topic}", handler = presence, topics = news }
                    rpc { path = /rpc, handler = ws-rpc }
                  }
                }
                """.formatted(DATABASE);
    }

    @Test
    void aLiveResultFollowsTheTopicsOfTheBus() throws Exception {
        try (Connection database = DriverManager.getConnection(DATABASE, "sluice", "");
                Statement change = database.createStatement()) {
            change.execute("CREATE TABLE live_orders (id BIGINT PRIMARY KEY, state VARCHAR(20))");
            change.execute("INSERT INTO live_orders VALUES (7, 'new')");
            String config = liveConfig();
            try (var one = RunningGateway.start(config); var other = RunningGateway.start(config)) {
                awaitConnected(one, true);
                awaitConnected(other, true);
                try (var stream = new LiveEvents(other, "/orders/7");
                        var rpc = SocketClient.connect(other, "/rpc")) {
                    assertThat(stream.next()).startsWith("data: {\"state\":\"new\"}");
                    change.execute("UPDATE live_orders SET state = 'paid'");
                    assertThat(one.post("/topics/orders.7", "changed").statusCode()).isEqualTo(200);
                    assertThat(stream.next()).startsWith("data: {\"state\":\"paid\"}");

                    // One client has half of the results: the topic of another one is not subscribed.
                    assertThat(other.send(other.request("/orders/8").header("Accept", "text/event-stream"))
                            .statusCode()).isEqualTo(503);
                    assertThat(redis.command("EXISTS sluice:meta:{news:orders.7}")).isEqualTo(":1");
                    assertThat(redis.command("EXISTS sluice:meta:{news:orders.8}")).isEqualTo(":0");

                    // The gateway itself is no member, and the route no topic.
                    assertThat(one.get("/presence/orders.7").body()).startsWith("{\"count\":0,");
                    rpc.send("{\"id\":1,\"subscribe\":\"/orders/7\"}");
                    assertThat(rpc.next()).contains("\"status\":404", "expected: the path of a topic");

                    redis.stop();
                    awaitConnected(other, false);
                    change.execute("UPDATE live_orders SET state = 'sent'");
                    redis.startEmpty();
                    assertThat(stream.next()).startsWith("data: {\"state\":\"sent\"}");
                }
            }
        }
    }
}
