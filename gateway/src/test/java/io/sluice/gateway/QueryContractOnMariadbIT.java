package io.sluice.gateway;

import static io.sluice.gateway.QuerySubject.ok;
import static io.sluice.gateway.QuerySubject.problem;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.mariadb.MariadbServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.sql.DriverManager;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Parameters, bodies, forms and results on MariaDB. Tests that are overridden without an annotation are left
 * out, as MariaDB has no arrays.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueryContractOnMariadbIT implements QueryParameterContract, QueryBodyContract, QueryFormContract,
        QueryResultContract {
    private static final String DATABASE = """
            sluice.databases.%s { url = "%s", user = "%s", password = "%s"
              properties.sessionVariables = "sql_mode='ANSI,STRICT_TRANS_TABLES'" }
            """;
    private static final String TRUTH = "(SELECT v FROM truths WHERE v = %s)";
    private static final String INSTANT = "DATE_FORMAT(CONVERT_TZ(CAST(%s AS DATETIME), @@time_zone, "
            + "'+00:00'), '%%Y-%%m-%%dT%%H:%%i:%%sZ')";

    /** The expression for a value of each type, and such a value in SQL. */
    private record Sql(String expression, String value) {
    }

    private static final Map<String, Sql> TYPES = Map.ofEntries(
            Map.entry("int", cast("INTEGER", "'2'")), Map.entry("long", cast("INTEGER", "'2'")),
            Map.entry("double", cast("DOUBLE", "'2.5'")),
            Map.entry("decimal", cast("DECIMAL(20, 4)", "'2.5'")),
            Map.entry("text", cast("CHAR", "'it''s'")), Map.entry("boolean", new Sql(TRUTH, "TRUE")),
            Map.entry("date", cast("DATE", "'2026-01-31'")), Map.entry("time", cast("TIME(6)", "'10:00:00'")),
            Map.entry("timestamp", cast("DATETIME(6)", "'2026-01-31 10:00:00'")),
            Map.entry("timestamptz", new Sql(INSTANT, "CAST('2026-01-31 13:30:00' AS DATETIME)")),
            Map.entry("uuid", cast("UUID", "'123e4567-e89b-12d3-a456-426614174000'")),
            Map.entry("bytea", cast("BINARY", "'abc'")));

    private static final String ROUTES = """
            sluice.routes.%1$s-%2$s { path = "/%1$s/%2$s%3$s", methods = [GET, POST], handler = query
              single = true, sql = "SELECT %4$s", parameters.v { type = %2$s, from = %1$s } }
            """;
    private static final String NARROWED = """
            sluice.routes.narrowed-%1$s { path = "/narrowed/%1$s", handler = query
              database = one, single = true
              sql = "SELECT COUNT(*) AS found FROM (SELECT %2$s AS v) AS t WHERE :v IS NULL OR v = :v"
              parameters.v { type = %1$s, required = false } }
            """;

    private RunningGateway gateway;

    private static Sql cast(String type, String value) {
        String expression = "CAST(%s AS " + type + ')';
        return new Sql(expression, expression.formatted(value));
    }

    @BeforeAll
    void start() throws Exception {
        MariadbServer mariadb = MariadbServer.get();
        try (var connection = DriverManager.getConnection(mariadb.url() + "?allowMultiQueries=true",
                mariadb.user(), mariadb.password()); var statement = connection.createStatement()) {
            statement.execute(text("query-mariadb-contract.sql"));
        }
        String databases = List.of("main", "one").stream().map(name -> DATABASE.formatted(name, mariadb.url(),
                mariadb.user(), mariadb.password())).collect(Collectors.joining());
        String types = TYPES.entrySet().stream().map(type -> routes(type.getKey(), type.getValue()))
                .collect(Collectors.joining());
        gateway = RunningGateway.start(inMariadbsWords("query-contract.conf")
                + inMariadbsWords("query-results.conf") + inMariadbsWords("query-bodies.conf") + types
                + databases + "include classpath(\"query-mariadb-contract.conf\")\n");
    }

    private static String routes(String type, Sql sql) {
        String result = type.equals("boolean") ? "v FROM truths WHERE v = :v"
                : sql.expression().formatted(":v") + " AS v";
        return List.of("path", "query-string", "body").stream().map(from -> ROUTES.formatted(from, type,
                from.equals("path") ? "/{v}" : "", result))
                .collect(Collectors.joining()) + NARROWED.formatted(type, sql.value());
    }

    /** Returns routes with the types of casts as MariaDB names them, and single values in place of arrays. */
    private static String inMariadbsWords(String resource) throws IOException {
        return text(resource).replaceAll("\"(\\w+)\\[]\"", "$1")
                .replaceAll("CAST\\((:\\w+) AS BOOLEAN\\)", TRUTH.formatted("$1"))
                .replace("AS VARCHAR)", "AS CHAR)").replace("AS BIGINT)", "AS INTEGER)")
                .replace("AS NUMERIC(", "AS DECIMAL(").replace("AS BYTEA)", "AS BINARY)")
                .replace("AS DOUBLE PRECISION)", "AS DOUBLE)").replace("AS TIMESTAMP)", "AS DATETIME)");
    }

    private static String text(String resource) throws IOException {
        try (InputStream in = QueryContractOnMariadbIT.class.getResourceAsStream('/' + resource)) {
            return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8);
        }
    }

    @AfterAll
    void stop() {
        if (gateway != null) {
            gateway.close();
        }
    }

    @Override
    public RunningGateway gateway() {
        return gateway;
    }

    @Override
    public void missingParameterGetsItsDefault() {
        // has a boolean, which is one only in a column of a table
    }

    @Override
    public void allMistakesOfARequestAreInOne400(int padding) {
        // of arrays
    }

    @Override
    public void allMistakesAreToldByTheNamesOfFields() {
        // of arrays
    }

    @Test
    @Override
    public void fieldsAreParameters() throws Exception {
        assertThat(ok(form("name=it%27s+a+%C3%BC&price=9.5&count=2&photo=3q2%2B7w%3D%3D&ids=2"
                + "&at=2026-01-31T10%3A00&other=1&id=6"))).isEqualTo("{\"id\":5,"
                + "\"name\":\"it's a ü\",\"price\":9.50,\"amount\":2,"
                + "\"amount_sent\":1,\"photo_length\":4,\"at\":\"2026-01-31T10:00:00\",\"found\":1}");
    }

    @Test
    @Override
    public void aMissingFieldIsTheDefaultAndAnEmptyOneNull() throws Exception {
        assertThat(ok(form("name=&price=1"))).startsWith(
                "{\"id\":5,\"name\":\"\",\"price\":1.00,\"amount\":7,\"amount_sent\":0,");
        assertThat(ok(form("name=&price=1&count=&at="))).contains("\"amount\":null,\"amount_sent\":1,");
        assertThat(problem(form("name=a&price="), 400)).isEqualTo(
                "price:  (expected: a number, such as 12.50)");
    }

    private HttpResponse<String> form(String body) throws Exception {
        return gateway.send(gateway.request("/form/5").header("Content-Type", URL_ENCODED)
                .POST(BodyPublishers.ofString(body)));
    }

    @Test
    @Override
    public void ieee754CompatibleLongsAreStrings() throws Exception {
        assertThat(get("/results", "Accept", "application/json;IEEE754Compatible=true").body())
                .startsWith("[{\"big\":\"9007199254740993\",\"price\":\"0.10\",")
                .contains("\"small\":7,\"yes\":true,\"half\":0.5}");
    }
}
