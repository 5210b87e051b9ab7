package io.sluice.gateway.mariadb;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RunningGateway;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.sql.DriverManager;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Statements that MariaDB refuses, all at once or altogether. */
class MariadbStatementsIT {
    private static final String CONFIG = """
            sluice.log.access = off
            sluice.offload.pools.shop { workers = 1 }
            sluice.databases.shop { url = "%s", user = sluice, password = "s3cret", pool = shop }
            sluice.handler-defaults.query.database = shop
            sluice.routes.copies { path = /copies, methods = [POST], handler = query
              sql = "SELECT COUNT(*) AS n FROM parts", write.steps = [{ each = parts, none = 409
                sql = "INSERT INTO parts SELECT :parts.id, label FROM parts WHERE id = :parts.of" }]
              parameters { "parts.id".type = long, "parts.of".type = long } }
            sluice.routes.imports { path = /imports, methods = [PUT], handler = query, bulk {}
              sql = "INSERT INTO parts SELECT :id, label FROM parts WHERE id = :of"
              parameters { id { type = long, from = body }, of { type = long, from = body } } }
            sluice.routes.singly = ${sluice.routes.imports} { path = /imports-singly, bulk.batch = 1 }
            sluice.routes.wrong { path = /wrong, handler = query
              sql = "SELECT id, lable FROM parts WHERE id = :id", parameters.id.type = long }
            sluice.routes.returns { path = /returns, methods = [POST], handler = query, single = true
              sql = "INSERT INTO parts VALUES (51, 'x') RETURNING id", write.location = "/parts/{id}" }
            sluice.routes.document { path = "/openapi.json", handler = openapi }
            sluice.routes.calls { path = /calls, methods = [POST], handler = query, single = true
              sql = "CALL part()", write.location = "/parts/{id}" }
            """;

    @Test
    void elementsMayBeSelectedAndAWrongStatementIsTold() throws Exception {
        MariadbServer mariadb = MariadbServer.get();
        try (var connection = DriverManager.getConnection(mariadb.url(), mariadb.user(), mariadb.password());
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE parts (id BIGINT PRIMARY KEY, label VARCHAR(20))");
            statement.execute("INSERT INTO parts VALUES (1, 'a'), (2, 'b')");
            statement.execute("CREATE PROCEDURE part() SELECT id FROM parts WHERE id = 1");
        }
        try (var gateway = RunningGateway.start(CONFIG.formatted(mariadb.url()))) {
            for (int rows : new int[] {4, 6}) { // only the first one as a batch
                HttpResponse<String> answer = copy(gateway, rows, 2);
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                assertThat(answer.body()).isEqualTo("[{\"n\":" + rows + "}]");
            }
            HttpResponse<String> none = copy(gateway, 8, 99);
            assertThat(none.statusCode()).as(none.body()).isEqualTo(409);
            assertThat(none.body()).contains("\"#/parts/1\"");

            assertThat(put(gateway, "/imports").statusCode()).isEqualTo(500);
            assertThat(put(gateway, "/imports-singly").body()).isEqualTo("{\"rows\":2}");

            assertThat(post(gateway, "/calls")).isEqualTo("/parts/1");
            assertThat(post(gateway, "/returns")).isEqualTo("/parts/51");
            var paths = new JsonMapper().readTree(gateway.get("/openapi.json").body()).path("paths");
            assertThat(paths.at("/~1returns/post/responses/200").toString())
                    .contains("\"updated\"", "anyOf");
            assertThat(paths.at("/~1imports/put/responses/200").toString()).contains("\"rows\"");
            assertThat(gateway.checkStatements()).hasLineCount(1)
                    .contains("sluice.routes.wrong.sql: ").contains("Unknown column 'lable'");
        }
    }

    private static String post(RunningGateway gateway, String target) throws Exception {
        HttpResponse<String> answer = gateway.post(target, "{}");
        return answer.headers().firstValue("location").orElse(answer.body());
    }

    private static HttpResponse<String> put(RunningGateway gateway, String target) throws Exception {
        return gateway.send(gateway.request(target).header("Content-Type", "application/json").method("PUT",
                BodyPublishers.ofString("[{\"id\":10,\"of\":1},{\"id\":11,\"of\":2}]")));
    }

    private static HttpResponse<String> copy(RunningGateway gateway, int id, int of) throws Exception {
        return gateway.post("/copies", "{\"parts\":[{\"id\":%d,\"of\":1},{\"id\":%d,\"of\":%d}]}"
                .formatted(id, id + 1, of));
    }
}
