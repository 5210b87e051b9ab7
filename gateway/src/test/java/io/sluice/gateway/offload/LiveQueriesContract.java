package io.sluice.gateway.offload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RunningGateway;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Results that are sent again when a topic says so: each run is a statement that the database counts. */
@Timeout(180)
abstract class LiveQueriesContract {
    static final String ROUTES = """
            sluice {
              server.worker-threads = 2
              topics.shop {}
              offload.pools.shop { workers = 2 }
              databases.shop { url = "%s", user = "%s", password = "%s", pool = shop
                connection-timeout = 20s }
              handler-defaults.query.database = shop
              live-defaults { topics = shop, interval = 50ms }
              routes {
                order { path = "/orders/{id}", handler = query, single = true
                  sql = "SELECT id, state FROM live_orders WHERE id = :id AND nextval('live_runs') > 0 AND %s"
                  parameters.id.type = long
                  live.topic = "orders.{id}" }
                publish { path = "/topics/{topic}", handler = publish, topics = shop }
              }
            }
            """;
    static final Duration SOON = Duration.ofSeconds(60);
    private static final int STREAMS = 200;

    RunningGateway gateway;
    Statements database;
    private int looks;

    /** Opens the database of the test, and returns its gateway's configuration. */
    abstract String open() throws Exception;

    /** Keeps statements of the route from ending. */
    abstract void closeGate() throws Exception;

    abstract void openGate() throws Exception;

    @BeforeEach
    void start() throws Exception {
        String config = open();
        database.change("DROP TABLE IF EXISTS live_orders");
        database.change("DROP SEQUENCE IF EXISTS live_runs");
        database.change("CREATE TABLE live_orders (id BIGINT PRIMARY KEY, state VARCHAR(20) NOT NULL)");
        database.change("CREATE SEQUENCE live_runs");
        database.change("INSERT INTO live_orders VALUES (7, 'new')");
        gateway = RunningGateway.start(config);
    }

    @AfterEach
    void stop() throws Exception {
        gateway.close();
        database.close();
    }

    /** The statements of the route that the database has run. */
    private int runs() {
        return database.count("SELECT nextval('live_runs')") - ++looks;
    }

    final int running() {
        return database.running("SELECT id, state FROM live_orders");
    }

    final void change(String state) throws SQLException {
        database.change("UPDATE live_orders SET state = '" + state + "' WHERE id = 7");
    }

    final void publish() throws Exception {
        assertThat(gateway.post("/topics/orders.7", "changed").statusCode()).isEqualTo(200);
    }

    static String data(String event) {
        return event.substring(0, event.indexOf('\n'));
    }

    static String order(String state) {
        return "data: {\"id\":7,\"state\":\"" + state + "\"}";
    }

    @Test
    void streamsShareARunAndGetWhatHasChanged() throws Exception {
        List<LiveEvents> streams = IntStream.range(0, STREAMS)
                .mapToObj(_ -> new LiveEvents(gateway, "/orders/7")).toList();
        String tag = "";
        for (LiveEvents stream : streams) {
            String event = stream.next();
            assertThat(data(event)).isEqualTo(order("new"));
            tag = event.substring(event.indexOf("\nid: ") + 5);
        }
        assertThat(runs()).isEqualTo(1);
        try (var returning = new LiveEvents(gateway, "/orders/7", "Last-Event-ID", tag)) {
            await().atMost(SOON).until(() -> metric("streams").equals(STREAMS + 1 + ".0"));
            publish();
            await().atMost(SOON).until(() -> metric("unchanged_total").equals("1.0"));
            change("paid");
            publish();
            for (LiveEvents stream : streams) {
                assertThat(data(stream.next())).isEqualTo(order("paid"));
            }
            assertThat(data(returning.next())).isEqualTo(order("paid"));
            assertThat(runs()).isEqualTo(3);
            assertThat(metric("results")).isEqualTo("1.0");
        }
        streams.forEach(LiveEvents::close);
        await().atMost(SOON).until(() -> metric("results").equals("0.0"));
    }

    private String metric(String name) throws Exception {
        return gateway.getAdmin("/metrics").body().lines()
                .filter(line -> line.startsWith("sluice_live_" + name + "{uri=\"/orders/{id}\"}"))
                .map(line -> line.substring(line.indexOf(' ') + 1)).findFirst().orElse("");
    }

    @Test
    void aMessageDuringARunIsFollowedByAnotherRun() throws Exception {
        try (var stream = new LiveEvents(gateway, "/orders/7")) {
            assertThat(data(stream.next())).isEqualTo(order("new"));
            closeGate();
            try {
                publish();
                await().atMost(SOON).until(() -> running() == 1);
                change("paid");
                publish();
            } finally {
                openGate();
            }
            assertThat(data(stream.next())).isEqualTo(order("paid"));
        }
    }

    @Test
    void otherClientsGetTheOrdinaryResponse() throws Exception {
        assertThat(gateway.get("/orders/7").body()).isEqualTo("{\"id\":7,\"state\":\"new\"}");
        for (String accept : List.of("text/event-stream;q=0, */*", "text/event-stream;q=0.5, text/csv")) {
            assertThat(gateway.send(gateway.request("/orders/7").header("Accept", accept)).headers()
                    .firstValue("Content-Type").orElseThrow()).isNotEqualTo("text/event-stream");
        }
        assertThat(gateway.get("/orders/x").statusCode()).isEqualTo(400);
        assertThat(gateway.send(gateway.request("/orders/x").header("Accept", "text/event-stream"))
                .statusCode()).isEqualTo(400);
        var head = gateway.send(gateway.request("/orders/7").header("Accept", "text/event-stream").HEAD());
        assertThat(head.headers().firstValue("content-type")).hasValue("text/event-stream");
    }
}
