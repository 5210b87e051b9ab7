package io.sluice.gateway;

import static io.sluice.gateway.QuerySubject.ok;
import static io.sluice.gateway.QuerySubject.problem;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Query routes on PostgreSQL 17. */
class QueryOnPostgresIT extends QueryContract implements PostgresAlterations, PostgresRefusals,
        PostgresSteps, PostgresValues {
    private static final String DATABASE = """
            sluice.databases.%s {
              url = "%s", user = "%s", password = "%s"
              connection-timeout = 20s # a login takes seconds on a busy machine
            }
            """;

    private PostgresServer postgres;

    @Override
    String ownConfig() {
        postgres = PostgresServer.get();
        return database("main") + database("one") + "include classpath(\"query-postgres.conf\")\n";
    }

    private String database(String name) {
        return DATABASE.formatted(name, postgres.url(), postgres.user(), postgres.password());
    }

    @Override
    public String everyType() {
        return """
            {"a_boolean":true,
            "a_smallint":-32768,
            "an_integer":2147483647,
            "a_bigint":9223372036854775807,
            "a_real":0.1,
            "a_double":0.1,
            "not_a_number":"NaN",
            "infinite":"-Infinity",
            "a_numeric":12.50,
            "numeric_nan":"NaN",
            "numeric_inf":"-Infinity",
            "a_text":"it's",
            "a_char":"ab  ",
            "a_date":"2026-01-31",
            "first_date":"-infinity",
            "a_time":"10:00:00.5",
            "last_time":"24:00:00",
            "a_timetz":"10:00:00+02:00",
            "last_timetz":"24:00:00-05:30",
            "a_timestamp":"2026-01-31T10:00:00",
            "last_timestamp":"infinity",
            "a_timestamptz":"2026-01-31T08:00:00Z",
            "last_timestamptz":"infinity",
            "a_uuid":"123e4567-e89b-12d3-a456-426614174000",
            "a_json":{"a": [1, null]},
            "a_jsonb":{"a": 1, "b": 2},
            "a_bytea":"3q2+7w==",
            "a_bit":"1010",
            "a_money":"$1,234.50",
            "an_enum":"paid",
            "an_interval":"P1DT2H",
            "intervals":["P1Y"],
            "a_range":"[1,5)",
            "an_inet":"10.0.0.1",
            "an_oid":4294967295,
            "a_point":"(1,2.5)",
            "a_box":"(3,4),(1,2)",
            "an_array":[1,null],
            "nested":[["a"],["b"]],
            "timestamps":["2026-01-31T10:00:00"],
            "binaries":["3g=="],
            "jsons":[{"a": 1}],
            "numerics":["NaN",1.5],
            "oids":[1,4294967295],
            "times":["24:00:00"],
            "timetzs":["24:00:00+02:00",
            "10:00:00+02:00",
            "10:00:00+00:30"],
            "points":["(1,2)"],
            "no_elements":[]}""";
    }

    @RepeatedTest(7)
    void sqlIsReadAsPostgresReadsIt() throws Exception {
        assertThat(ok(gateway().get("/one/lexical?x=x"))).isEqualTo("{\"e\":\"it's :x\",\"u\":\"A :x\","
                + "\"d\":\":x $b$\",\"has\":true,\"slice\":[1,2],\"x\":\"x\"}");
    }

    /** The driver looks types of columns up in the catalogue, once for a table and connection. */
    @Test
    void aResultIsTheOnlyThingThatTheDatabaseIsAskedFor() throws Exception {
        for (int i = 0; i < 2; i++) {
            ok(gateway().get("/one/altered/first"));
        }
        try (Connection connection = DriverManager.getConnection(
                postgres.url(), postgres.user(), postgres.password());
                Statement statement = connection.createStatement();
                var last = statement.executeQuery(
                        "SELECT 1 FROM pg_stat_activity WHERE query = 'SELECT * FROM altered'")) {
            assertThat(last.next()).as("the last statement of a connection is the route's").isTrue();
        }
    }

    @Test
    void aCallAnswersItsOutParametersOrThatNoRowsWereCounted() throws Exception {
        assertThat(ok(gateway().post("/call?name=pump", ""))).isEqualTo("{\"updated\":0}");
        assertThat(ok(gateway().post("/call-out?name=valve", ""))).isEqualTo("{\"items\":2}");
        assertThat(ok(gateway().get("/items"))).isEqualTo(
                "[{\"name\":\"pump\",\"price\":1.00},{\"name\":\"valve\",\"price\":1.00}]");
    }

    @Test
    void aDeadlineTakesAllStatementsBack() throws Exception {
        assertThat(problem(gateway().post("/slow-steps", ""), 504))
                .isEqualTo("the response was not ready within its time limit");
        await().until(() -> running() == 0);
        assertThat(ok(gateway().get("/written-stock"))).isEqualTo("{\"n\":15}");
    }

    /** One at a time waits in the database, with the lock of the key. */
    @Test
    void aRequestWhoseKeyIsInUseGets409() throws Exception {
        try (Connection connection = DriverManager.getConnection(
                postgres.url(), postgres.user(), postgres.password());
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_lock(4711)");
            var key = gateway().request("/held").header("Idempotency-Key", "k");
            var first = gateway().client().sendAsync(key.POST(BodyPublishers.noBody()).build(),
                    BodyHandlers.ofString());
            await().until(() -> {
                try (var waiting = statement.executeQuery(
                        "SELECT 1 FROM pg_locks WHERE objid = 4711 AND NOT granted")) {
                    return waiting.next();
                }
            });

            HttpResponse<String> second = gateway().send(key);
            assertThat(problem(second, 409)).isEqualTo(
                    "Idempotency-Key: a request with this key is running; try again");
            assertThat(second.headers().firstValueAsLong("retry-after").orElseThrow()).isPositive();

            statement.execute("SELECT pg_advisory_unlock(4711)");
            assertThat(ok(first.get())).isEqualTo("{\"updated\":3}");
            HttpResponse<String> third = gateway().send(key);
            assertThat(ok(third)).isEqualTo("{\"updated\":3}");
            assertThat(third.headers().firstValue("idempotent-replayed")).hasValue("true");
        }
        assertThat(ok(gateway().get("/written-stock"))).isEqualTo("{\"n\":18}");
    }

    @Test
    void aConnectionThatHasBecomeReadOnlyIsReplaced() throws Exception {
        ok(gateway().get("/one/fail-over"));

        HttpResponse<String> refused = gateway().post("/one/item", "");
        assertThat(problem(refused, 503)).isEqualTo("the database is not available");
        assertThat(refused.headers().firstValueAsLong("retry-after").orElseThrow()).isPositive();

        assertThat(ok(gateway().post("/one/item", ""))).isEqualTo("{\"updated\":1}");
    }

    @ParameterizedTest
    @CsvSource({"P0001, 422, refused by a rule of the database", "P0002, 404, no such row",
        "44000, 409, conflicts with what is stored", "PT402, 402, refused by a rule of the database",
        "25006, 503, the database is not available"})
    void raisedErrorsHaveAStatusAndDiscloseNoMessage(String state, int status, String detail)
            throws Exception {
        HttpResponse<String> answer = gateway().get("/raise/" + state);

        assertThat(problem(answer, status)).isEqualTo(detail);
        assertThat(answer.body()).doesNotContain("secret", state);
    }

    @Test
    void aRaised401HasAChallengeAndAStatusThatNeedsMoreIsNotSent() throws Exception {
        HttpResponse<String> refused = gateway().get("/raise/PT401");

        assertThat(problem(refused, 401)).isEqualTo("refused by a rule of the database");
        assertThat(refused.headers().firstValue("www-authenticate")).hasValue("Bearer realm=\"sluice\"");
        assertThat(problem(gateway().get("/raise/PT405"), 500)).startsWith("internal error");
    }

    @ParameterizedTest
    @CsvSource({"P0001, 422", "PT404, 404", "PT503, 503", "ORD01, 410", "22012, 400"})
    void raisedMessagesAreDisclosedIfTheRouteAllows(String state, int status) throws Exception {
        assertThat(problem(gateway().get("/raise-openly/" + state), status)).isEqualTo("secret (a hint)");
    }

    @Test
    void serverMessagesAreNotDisclosedEvenIfTheRouteAllowsRaisedOnes() throws Exception {
        assertThat(problem(gateway().get("/cast-openly/abc"), 400)).isEqualTo("a number that is no number");
        assertThat(gateway().get("/raise-openly/ORD02").body()).doesNotContain("secret", "hint");
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', value = {
        "{\"name\":\"a\"}                    | 409 | name: conflicts with what is stored"
                + " | {\"pointer\":\"#/name\",\"detail\":\"conflicts with what is stored\"}",
        "{\"name\":\"b\",\"price\":-1}     | 422 | price: a price below 0"
                + " | {\"pointer\":\"#/price\",\"detail\":\"a price below 0\"}",
        "{\"name\":\"b\",\"customer\":0}   | 409 | customer_of_item: conflicts with what is stored"
                + " | {\"constraint\":\"customer_of_item\",\"detail\":\"conflicts with what is stored\"}",
    })
    void aConstraintHasThePublicNameThatTheRouteGivesIt(String body, int status, String detail, String error)
            throws Exception {
        ok(gateway().post("/items", "{\"name\":\"a\"}"));

        HttpResponse<String> answer = gateway().post("/items/openly", body);

        assertThat(problem(answer, status)).isEqualTo(detail);
        assertThat(JSON.readTree(answer.body()).get("errors")).hasToString('[' + error + ']');
        assertThat(JSON.readTree(answer.body()).get("type").asString()).isEqualTo("about:blank");
    }

    @Test
    void thePlannerEstimatesTheNumberOfRows() throws Exception {
        HttpResponse<String> answer = gateway().get("/estimated?status=paid&id%5Blt%5D=1001");

        assertThat(ok(answer)).startsWith("[{\"id\":1,");
        assertThat(answer.headers().firstValueAsLong("x-total-count").orElseThrow()).isBetween(1L, 2000L);
    }

    @Test
    void jsonIsTheWholeAnswer() throws Exception {
        assertThat(ok(gateway().get("/document"))).isEqualTo("[1, {\n}]");
        HttpResponse<String> lines = gateway().send(
                gateway().request("/jsons").header("Accept", "application/x-ndjson"));
        assertThat(lines.body()).isEqualTo("{\"d\":[1, { }]}\n");
    }

    @Test
    void aChangeThatReturnsRowsAnswersThem() throws Exception {
        assertThat(ok(gateway().post("/items/returning", "{\"name\":\"pump\",\"price\":9.5}")))
                .isEqualTo("{\"name\":\"pump\",\"price\":9.50,\"has_id\":true}");
        assertThat(ok(gateway().get("/items"))).isEqualTo("[{\"name\":\"pump\",\"price\":9.50}]");
    }

    @Test
    void failureAtCommitGetsAnErrorResponse() throws Exception {
        assertThat(ok(gateway().post("/deferred", "{\"customer\":1}"))).isEqualTo("[{\"customer_id\":1}]");
        assertThat(problem(gateway().post("/deferred", "{\"customer\":100000}"), 409))
                .isEqualTo("conflicts with what is stored");
    }

    @Test
    void anErrorInTheMiddleOfTheRowsCutsTheAnswerOff() throws Exception {
        try (RawClient client = gateway().connect()) {
            client.send("GET /breaks-late HTTP/1.1\r\nHost: x\r\n\r\n");

            assertThatThrownBy(client::read).isInstanceOf(IOException.class);
        }
    }

    @Test
    void theCharacterThatPostgresCannotStoreGets422() throws Exception {
        assertThat(problem(gateway().post("/body/text", "{\"v\":\"a\\u0000b\"}"), 422))
                .isEqualTo("a value does not fit");
    }

    @Test
    void aClientThatGoesAwayWhileRowsAreFetchedTakesTheStatementWithIt() throws Exception {
        try (RawClient client = gateway().connect()) {
            client.send("GET /one/trickle HTTP/1.1\r\nHost: x\r\n\r\n");
            await().during(ofSeconds(1)).until(() -> running() == 1);
        }
        await().until(() -> running() == 0);
        ok(gateway().get("/one/quick"));
    }

    @Test
    void theDeadlineEndsAStatementWhoseRowsAreBeingFetched() throws Exception {
        assertThat(problem(gateway().get("/one/trickle-soon"), 504))
                .isEqualTo("the response was not ready within its time limit");
        await().until(() -> running() == 0);
        ok(gateway().get("/one/quick"));
    }
}
