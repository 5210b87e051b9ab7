package io.sluice.gateway.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.PostgresServer;
import io.sluice.gateway.RunningGateway;
import java.net.http.HttpResponse;
import java.sql.DriverManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Parts of the document that come from PostgreSQL, in a schema that requests alone have in their path. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenapiOnPostgresIT {
    private static final String SCHEMA = """
            DROP SCHEMA IF EXISTS openapi_it CASCADE;
            CREATE SCHEMA openapi_it;
            SET search_path = openapi_it;
            CREATE TYPE openapi_state AS ENUM ('new', 'paid');
            CREATE TYPE "Interval" AS ENUM ('day', 'week');
            CREATE TABLE openapi_orders (
              id bigint PRIMARY KEY, state openapi_state NOT NULL, delay interval);
            CREATE TABLE kinds (
              n int, longs bigint[], texts text[] NOT NULL, states openapi_state[], doc json, docs jsonb[],
              span int4range, spans tstzmultirange, wait interval, at timestamptz, ats timestamptz[],
              local timestamp, day date, daytime time, price numeric(8, 2), prices numeric[], half real,
              address inet, bits bit(3), code uuid, codes uuid[], bytes bytea, paid money);
            INSERT INTO kinds VALUES (1, '{{1,2},{3,4}}', '{a,NULL,"b c"}', '{new}', '{"a":[1,null]}',
              ARRAY['1'::jsonb, '"x"'], '[1,5)', '{[2026-01-31 10:00+02, infinity)}', '-1 day 02:00',
              '2026-01-31 10:00+02', '{2026-01-31 10:00:00.5+02, NULL}', '2026-01-31 10:00', '2026-01-31',
              '10:00', 1.50, '{NaN,2.5}', '-Infinity', '10.0.0.0/8', B'101',
              '123e4567-e89b-12d3-a456-426614174000', '{123e4567-e89b-12d3-a456-426614174000}', '\\xDE', 1);
            INSERT INTO kinds (n, texts) VALUES (2, '{}');
            CREATE FUNCTION refuse(state text) RETURNS int LANGUAGE plpgsql AS
              $$ BEGIN RAISE 'refused' USING ERRCODE = state; END $$;
            """;
    private static final String CONFIG = """
            sluice {
              offload.pools.main { workers = 1 }
              databases.db { url = "%s", user = "%s", password = "%s", pool = main
                connection-timeout = 20s, session.local.search_path = "text openapi_it" }
              handler-defaults.query.database = db
              routes {
                document { path = "/openapi.json", handler = openapi }
                orders { path = "/orders", handler = query
                  sql = "SELECT id, state, delay FROM openapi_orders", filter.state = [eq, in] }
                kinds { path = "/kinds", handler = query, sql = "SELECT * FROM kinds"
                  filter.half = [eq, gt, lt, in] }
                strict { path = "/strict", handler = query, sql = "SELECT refuse(:state) AS x"
                  parameters.state.type = text }
              }
            }
            """;
    private RunningGateway gateway;
    private Described document;

    @BeforeAll
    void start() throws Exception {
        execute(SCHEMA);
        PostgresServer postgres = PostgresServer.get();
        gateway = RunningGateway.start(CONFIG.formatted(postgres.url(), postgres.user(),
                postgres.password()));
        document = new Described(Described.JSON.readTree(gateway.get("/openapi.json").body()));
    }

    @AfterAll
    void stop() throws Exception {
        if (gateway != null) {
            gateway.close();
            execute("DROP SCHEMA openapi_it CASCADE");
        }
    }

    private static void execute(String sql) throws Exception {
        PostgresServer postgres = PostgresServer.get();
        try (var connection = DriverManager.getConnection(postgres.url(), postgres.user(),
                postgres.password()); var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void columnsOfEnumeratedTypesHaveTheirLabels() throws Exception {
        assertThat(document.json().has("x-incomplete")).isFalse();
        assertThat(document.operation("/orders", "get").path("parameters"))
                .filteredOn(parameter -> parameter.path("name").asString().equals("state"))
                .singleElement().extracting(parameter -> parameter.at("/schema/enum").toString())
                .isEqualTo("[\"new\",\"paid\"]");
        JsonNode row = document.responses("/orders", "get")
                .at("/200/content/application~1json/schema/items/properties");
        assertThat(row.at("/state/enum")).hasToString("[\"new\",\"paid\"]");
        assertThat(row.path("delay").toString()).contains("string").doesNotContain("week");
        assertThat(gateway.get("/orders?state=sold").statusCode()).isEqualTo(400);
    }

    @Test
    void valuesOfAllTypesAreAsTheDocumentSays() throws Exception {
        HttpResponse<String> answer = gateway.get("/kinds");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        document.check(answer, document.operation("/kinds", "get"), "get");
        JsonNode row = document.responses("/kinds", "get").at("/200/content/application~1json/schema/items");
        assertThat(row.path("properties").size()).isEqualTo(23);
        assertThat(row.at("/properties/at/format").asString()).isEqualTo("date-time");
        assertThat(row.at("/properties/longs/items/anyOf/0/format").asString()).isEqualTo("int64");
    }

    /** The document allows any number, also one that a real cannot be. */
    @ParameterizedTest
    @CsvSource({"eq, 1e300, 0", "lt, 1e300, 2", "gt, -1e300, 1", "lt, 1e-300, 1", "eq, 0.1, 1",
        "'in', '1e300,0.1', 1", "eq, -Infinity, 1", "lt, nan, 2"})
    void aRealIsComparedWithAnyNumber(String operator, String number, int rows) throws Exception {
        execute("SET search_path = openapi_it; DELETE FROM kinds WHERE n = 3;"
                + "INSERT INTO kinds (n, texts, half) VALUES (3, '{}', 0.1)");
        HttpResponse<String> answer = gateway.get("/kinds?half%5B" + operator + "%5D=" + number);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(Described.JSON.readTree(answer.body()).size()).isEqualTo(rows);
    }

    /** The database alone knows which statuses its functions raise. */
    @ParameterizedTest
    @CsvSource({"P0002, 404", "PT402, 402", "PT451, 451", "PT511, 511"})
    void aStatusThatAFunctionRaisesIsDescribed(String state, int status) throws Exception {
        HttpResponse<String> answer = gateway.get("/strict?state=" + state);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        JsonNode operation = document.operation("/strict", "get");
        assertThat(operation.path("responses").has(String.valueOf(status))).isFalse();
        document.check(answer, operation, "get");
    }

    @ParameterizedTest
    @ValueSource(strings = {"22003", "23514", "40001", "ORD01"})
    void otherStatesHaveAStatusOfTheirClass(String state) throws Exception {
        HttpResponse<String> answer = gateway.get("/strict?state=" + state);

        assertThat(document.responses("/strict", "get").has(String.valueOf(answer.statusCode()))).isTrue();
    }
}
