package io.sluice.gateway.mariadb;

import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.DriverManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The core of query routes with MariaDB, whose driver users bring. */
class QueryOnMariadbIT {
    private static final String CONFIG = """
            sluice.log.access = off
            sluice.offload.pools.shop { workers = 2 }
            sluice.databases.shop {
              url = "%s", user = sluice, password = s3cret, pool = shop, connection-timeout = 20s
              probe-interval = 200ms
              properties { sessionVariables = "time_zone='+00:00',lock_wait_timeout=7" }
            }
            sluice.routes {
              types { path = /types, handler = query, database = shop, single = true, sql = \"""
                SELECT 1 AS an_int, 9223372036854775807 AS a_bigint, 12.50 AS a_decimal, 1.5e0 AS a_double,
                  'it''s' AS a_text, DATE '2026-01-31' AS a_date,
                  TIMESTAMP '2026-01-31 10:00:00' AS a_timestamp, NULL AS a_null,
                  x'FF' AS a_binary, @@lock_wait_timeout AS variable\""" }
              item { path = "/items/{id}", handler = query, database = shop, single = true
                sql = "SELECT id, name, price, since FROM items WHERE id = :id", parameters.id.type = long }
              add { path = /items, methods = [POST], handler = query, database = shop
                sql = "INSERT INTO items (id, name, price, since) VALUES (:id, :name, :price, :since)"
                parameters { id { type = long, from = body }, name { from = body, type = text }
                  price { type = decimal, from = body, required = false }
                  since { type = date, from = body, required = false } } }
              rename { path = "/items/{id}", methods = [PATCH], handler = query, database = shop
                sql = "UPDATE items SET name = :name WHERE id = :id"
                parameters { id.type = long, name { type = text, from = body } } }
              many { path = /many, handler = query, database = shop, row-limit = 1000000
                sql = "SELECT seq, REPEAT('x', 100) AS x FROM seq_1_to_100000" }
              slow { path = /slow, handler = query, database = shop, deadline = 2s
                sql = "UPDATE items SET name = 'slow' WHERE SLEEP(30) = 0", write-on-get = true }
              long { path = /long, handler = query, database = shop, sql = "SELECT SLEEP(30) AS x" }
              running { path = /running, handler = query, database = shop, single = true, sql = \"""
                SELECT count(*) AS n FROM information_schema.processlist
                  WHERE info LIKE '%%SLEEP(30)%%' AND info NOT LIKE '%%processlist%%'\""" }
              reads { path = /reads, handler = query, database = shop, read-only = true
                sql = "SELECT next value for numbers AS n" }
              takes { path = /takes, handler = query, database = shop
                sql = "SELECT next value for numbers AS n" }
            }
            """;

    private static MariadbServer mariadb;
    private static RunningGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        mariadb = MariadbServer.startOrSkip();
        try (var connection = DriverManager.getConnection(mariadb.url(), "sluice", "s3cret");
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE items (id BIGINT PRIMARY KEY, name VARCHAR(20) NOT NULL, "
                    + "price DECIMAL(10, 2) CHECK (price >= 0), since DATE)");
            statement.execute("CREATE SEQUENCE numbers");
        }
        gateway = RunningGateway.start(CONFIG.formatted(mariadb.url()));
    }

    @AfterAll
    static void stop() throws Exception {
        if (gateway != null) {
            gateway.close();
        }
        if (mariadb != null) {
            mariadb.close();
        }
    }

    private static String ok(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    private static HttpResponse<String> patch(String target, String body) throws Exception {
        return gateway.send(gateway.request(target).method("PATCH",
                HttpRequest.BodyPublishers.ofString(body)));
    }

    private static int running() throws Exception {
        return Integer.parseInt(ok(gateway.get("/running")).replaceAll("\\D", ""));
    }

    @Test
    void typesAreJson() throws Exception {
        assertThat(ok(gateway.get("/types"))).isEqualTo("{\"an_int\":1,\"a_bigint\":9223372036854775807,"
                + "\"a_decimal\":12.50,\"a_double\":1.5,\"a_text\":\"it's\",\"a_date\":\"2026-01-31\","
                + "\"a_timestamp\":\"2026-01-31T10:00:00\",\"a_null\":null,\"a_binary\":\"/w==\","
                + "\"variable\":7}");
    }

    @Test
    void changesAreCountedAndConflictsAreTold() throws Exception {
        String item = "{\"id\":7,\"name\":\"pump\",\"price\":9.5,\"since\":\"2026-01-31\"}";
        assertThat(ok(gateway.post("/items", item))).isEqualTo("{\"updated\":1}");
        assertThat(ok(gateway.get("/items/7")))
                .isEqualTo("{\"id\":7,\"name\":\"pump\",\"price\":9.50,\"since\":\"2026-01-31\"}");
        assertThat(gateway.post("/items", item).statusCode()).isEqualTo(409);
        assertThat(ok(gateway.post("/items", "{\"id\":8,\"name\":\"it's :x?\"}")))
                .isEqualTo("{\"updated\":1}");
        assertThat(ok(gateway.get("/items/8")))
                .isEqualTo("{\"id\":8,\"name\":\"it's :x?\",\"price\":null,\"since\":null}");
        assertThat(gateway.post("/items", "{\"id\":9,\"name\":\"" + "x".repeat(21) + "\"}").statusCode())
                .isEqualTo(422);
        assertThat(gateway.post("/items", "{\"id\":9,\"name\":\"a\",\"price\":-1}").statusCode())
                .isEqualTo(409);
        assertThat(ok(patch("/items/8", "{\"name\":\"valve\"}"))).isEqualTo("{\"updated\":1}");
        assertThat(gateway.get("/items/9").statusCode()).isEqualTo(404);
    }

    @Test
    void rowsAreStreamed() throws Exception {
        assertThat(ok(gateway.get("/many")).split("\\{\"seq\":")).hasSize(100_001);
    }

    @Test
    void aStatementEndsWithItsDeadlineAndWithItsClient() throws Exception {
        ok(gateway.post("/items", "{\"id\":1,\"name\":\"before\"}"));
        assertThat(gateway.get("/slow").statusCode()).isEqualTo(504);
        await().atMost(ofMinutes(1)).until(() -> running() == 0);
        assertThat(ok(gateway.get("/items/1"))).contains("\"before\"");

        try (RawClient client = gateway.connect()) {
            client.send("GET /long HTTP/1.1\r\nHost: x\r\n\r\n");
            await().atMost(ofMinutes(1)).until(() -> running() == 1);
        }
        await().atMost(ofMinutes(1)).until(() -> running() == 0);
    }

    @Test
    void aReadOnlyQueryCannotWrite() throws Exception {
        assertThat(gateway.get("/reads").statusCode()).isEqualTo(500);
        ok(gateway.get("/takes"));
    }

    @Test
    void aServerThatIsKilledIsUsedAgainWhenItIsBack() throws Exception {
        ok(gateway.get("/types"));

        mariadb.kill();
        await().atMost(ofMinutes(1)).until(() -> gateway.get("/types").statusCode() == 503);
        mariadb.start();

        await().atMost(ofMinutes(1)).until(() -> gateway.get("/types").statusCode() == 200);
    }
}
