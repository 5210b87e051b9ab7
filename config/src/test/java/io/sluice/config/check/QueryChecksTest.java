package io.sluice.config.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.HandlerConfig;
import io.sluice.config.HoconFile;
import io.sluice.config.SqlErrorConfig;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryChecksTest {
    private static final String QUERY = """
            sluice.offload.pools.p {}
            sluice.databases.d { url = x, pool = p }
            sluice.routes.x { path = /x, handler = query, database = d
              sql = "%s", %s }
            """;

    @TempDir
    private Path directory;
    private HoconFile file;

    @BeforeEach
    void useTheDirectory() {
        file = new HoconFile(directory);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            DELETE FROM a          | methods = [GET]         | DELETE on GET
            CALL f()               | single = true           | CALL on GET
            SELECT 1 INTO a        | methods = [POST, HEAD]  | SELECT INTO on HEAD
            TRUNCATE a             | methods = [OPTIONS]     | TRUNCATE on OPTIONS
            """)
    void changingStatementsAreRefusedForGet(String sql, String more, String problem) {
        assertThat(file.problems(QUERY.formatted(sql, more))).containsExactly(
                "main.conf:4: sluice.routes.x.sql: " + problem + " (expected: a statement that only reads, "
                        + "methods = [POST], or write-on-get = true)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            DELETE FROM a | methods = [POST, PUT, PATCH, DELETE]
            DELETE FROM a | write-on-get = true
            SELECT 1      | methods = [GET, POST]
            """)
    void permittedStatementsAreAccepted(String sql, String more) {
        assertThat(file.load(QUERY.formatted(sql, more)).routes()).containsKey("x");
    }

    @Test
    void aSecondStatementIsRefusedWhereItStands() {
        assertThat(file.problems(QUERY.formatted("SELECT 1; DROP TABLE a", ""))).containsExactly(
                "main.conf:4: sluice.routes.x.sql: SELECT 1; DROP TABLE a "
                        + "(expected: one statement, with no other behind its ;)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            type = enum           | values: missing (expected: a list [ … ] of the texts of the enum)
            type = long, values = [a] | values: [a] (expected: none without type = enum)
            type = "json[]"       | type: json[] (expected: a type of elements other than json and bytea)
            type = json           | type: json (expected: json with from = body)
            type = "int[]", from = header | type: int[] (expected: an array from the query string or the body)
            type = long, from = caller | type: long (expected: text for the caller)
            type = long, header = X-A | header: X-A (expected: none without from = header)
            type = long, default = x | default: x (expected: a whole number)
            type = enum, values = [b, c], default = x | default: x (expected: one of b, c)
            type = "long[]", default = 1 | default: 1 (expected: none for an array or the caller)
            type = json, from = body, default = "{" | default: { (expected: a JSON value)
            type = long, from = path | from: path (expected: a {a} in /x)
            """)
    void invalidParametersAreReported(String parameter, String problem) {
        assertThat(file.problems(QUERY.formatted("SELECT :a, :a_sent", "parameters.a { " + parameter + " }")))
                .containsExactly("main.conf:4: sluice.routes.x.parameters.a." + problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"type = json, from = body, default = \"{\\\"a\\\": [1]}\"",
        "type = enum, values = [b, c], default = c", "type = \"timestamptz[]\"", "type = text, from = caller",
        "type = int, from = header"})
    void validParametersAreAccepted(String parameter) {
        String parameters = "parameters.a { " + parameter + " }";

        assertThat(file.load(QUERY.formatted("SELECT :a_sent", parameters)).routes()).containsKey("x");
    }

    @Test
    void errorsAreNamedBySqlStates() {
        assertThat(file.problems(QUERY.formatted("SELECT 1",
                "errors { 23505.status = 409, 2350 { status = 409 }, P0001.status = 200 }")))
                .containsExactlyInAnyOrder(
                        "main.conf:4: sluice.routes.x.errors.P0001.status: 200 (expected: 400..599)",
                        "main.conf:4: sluice.routes.x.errors.2350: 2350 (expected: an SQLSTATE, such as "
                                + "23505, or its first two characters)");
    }

    @ParameterizedTest
    @ValueSource(ints = {405, 407, 426})
    void aStatusNeedsNoFurtherHeaderFields(int status) {
        String expected = status + " (expected: none of 405, 407 and 426, which need further header fields)";
        String more = """
                methods = [POST], errors { 23505.status = %1$d, 22.status = 401 }, write { none = %1$d
                  steps = [{ sql = "DELETE FROM b", none = %1$d }] }""".formatted(status);

        assertThat(file.problems(QUERY.formatted("DELETE FROM a", more))).containsExactlyInAnyOrder(
                "main.conf:4: sluice.routes.x.errors.23505.status: " + expected,
                "main.conf:4: sluice.routes.x.write.none: " + expected,
                "main.conf:5: sluice.routes.x.write.steps.0.none: " + expected);
    }

    @Test
    void errorsOfAllRoutesAndOfOneAreMerged() {
        String all = "sluice.handler-defaults.query.errors { 23505.status = 422, 22.status = 400 }\n";

        var query = (HandlerConfig.Query) file.load(all
                + QUERY.formatted("SELECT 1", "errors { 22.status = 418 }")).routes().get("x").handler();

        assertThat(query.errors()).containsOnly(
                Map.entry("23505", new SqlErrorConfig(422, Optional.empty())),
                Map.entry("22", new SqlErrorConfig(418, Optional.empty())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Europe/Berlin", "UTC", "Etc/GMT+2"})
    void aDatabaseHasATimeZone(String zone) {
        String config = QUERY.formatted("SELECT 1", "") + "sluice.databases.d.time-zone = \"" + zone + '"';

        assertThat(file.load(config).databases().get("d").timeZone()).hasToString(zone);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Europe/Atlantis", "+02:00", "utc", "UTC' --"})
    void invalidTimeZoneIsReported(String zone) {
        assertThat(file.problems("sluice.database-defaults.time-zone = \"" + zone + '"')).containsExactly(
                "main.conf:1: sluice.database-defaults.time-zone: " + zone
                        + " (expected: a time zone, such as UTC or Europe/Berlin)");
    }
}
