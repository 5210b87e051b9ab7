package io.sluice.config.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.HoconFile;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WriteChecksTest {
    private static final String ROUTE = """
            sluice.offload.pools.p {}
            sluice.databases.d { url = "%s", pool = p }
            sluice.routes.x { path = /x, methods = [POST], handler = query, database = d
              sql = "UPDATE a SET b = 1"
              %s }
            """;
    private static final String H2 = "jdbc:h2:mem:x";

    @TempDir
    private Path directory;
    private HoconFile file;

    @BeforeEach
    void useTheDirectory() {
        file = new HoconFile(directory);
    }

    @Test
    void anArrayIsRefusedWhereTheDatabaseHasNone() {
        assertThat(file.problems(ROUTE.formatted("jdbc:mariadb://db/shop",
                "sql = \"DELETE FROM a WHERE b IN (:ids)\", parameters.ids.type = \"long[]\"")))
                .singleElement().asString()
                .endsWith(": sluice.routes.x.parameters.ids.type: long[] "
                        + "(expected: no array, which MariaDB does not have)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            write.location = "/a/{id}"              | write.location: /a/{id} | single = true beside it
            single = true, write.location = "a {id}" | write.location: a {id} \
                | a path or URL with columns of the row, such as "/orders/{id}"
            write.none = 302                        | write.none: 302 | 200, 204 or 400..499
            single = true, write.none = 200         | write.none: 200 | 204 or 400..499 beside single = true
            write.status = 301                      | write.status: 301 | 200..299
            write.status = 206                      | write.status: 206 | 200..299, but not that of a range
            write.steps = []                        | write.steps: [] | a list [ … ] of at least one
            write.steps = [{ sql = "SELECT 1", none = 200 }] | write.steps.0.none: 200 | 400..499
            write.steps = [{ sql = "SELECT 1", none-detail = x }] \
                | write.steps.0.none-detail: x | none = 409 or the like beside it
            write.steps = [{ sql = "DELETE FROM a" }, { sql = "DELETE FROM a" }] \
                | write.steps.1: {"sql":"DELETE FROM a"} | an element that differs from the others
            write.steps = [{ name = a, sql = "SELECT 1" }, { name = a, sql = "SELECT 2" }] \
                | write.steps.1.name: a | a name of its own
            write.steps = [{ each = a, name = b, sql = "DELETE FROM a" }] \
                | write.steps.0.name: b | none beside each, as it hands on no row
            write.steps = [{ each = a, sql = "DELETE FROM a RETURNING 1" }] \
                | write.steps.0.sql: DELETE FROM a RETURNING 1 | a change without RETURNING beside each
            write.steps = [{ name = a, sql = "SELECT 1" }, { each = a, sql = "DELETE FROM a" }] \
                | write.steps.1.each: a | another name than that of a step
            write.steps = [{ sql = "SELECT :b.id" }, { name = b, sql = "SELECT 2" }] \
                | write.steps.0.sql: :b.id | name = b of an earlier step, or each = b beside it
            write.steps = [{ each = b, sql = "DELETE FROM a WHERE b = :b.id" }] \
                | write.steps.0.sql: :b.id | parameters { "b.id" { type = … } } for it
            write.steps = [{ sql = "DELETE FROM a" }], methods = [GET], sql = "SELECT 1" \
                | write.steps.0.sql: DELETE on GET \
                | a statement that only reads, methods = [POST], or write-on-get = true
            write.steps = [5, { each = o, name = x, sql = "DELETE FROM a WHERE b = :b" }] \
                | write.steps.0: 5 | an object { … }
            write.steps = [5, { sql = "DELETE FROM a" }], methods = [GET], sql = "SELECT :b.id" \
                | write.steps.0: 5 | an object { … }
            sql = "DELETE FROM a WHERE v IN (:v)", parameters.v { type = "int[]", from = if-match } \
                | sql: :v | (:v IS NULL OR version IN (:v)), as If-Match: * is NULL
            sql = "DELETE FROM a WHERE :v IS NULL", parameters.v { type = int, from = if-match } \
                | parameters.v.type: int | an array, such as long[], for the tags of If-Match
            sql = "DELETE FROM a WHERE :v IS NULL", parameters.v { type = "int[]", from = if-none-match } \
                | sql: :v IS NULL | version NOT IN (:v) alone, which is not true for If-None-Match: *
            """)
    void invalidWriteKeysAreReportedWithTheirLine(String lines, String problem, String expected) {
        assertThat(file.problems(ROUTE.formatted(H2, lines))).singleElement().asString()
                .startsWith("main.conf:").endsWith(": sluice.routes.x." + problem
                        + " (expected: " + expected + ')');
    }

    @Test
    void aMemberOfAnElementIsFromTheBody() {
        String step = "write.steps = [{ each = b, sql = \"DELETE FROM a WHERE b = :b.id\" }]\n";

        assertThat(file.load(ROUTE.formatted(H2, step + "parameters.\"b.id\".type = json")).routes())
                .containsKey("x");
        assertThat(file.problems(ROUTE.formatted(H2, step
                + "parameters.\"b.id\" { type = long, from = header, header = X-B }"))).containsExactly(
                        "main.conf:6: sluice.routes.x.parameters.\"b.id\".from: header (expected: none for a "
                        + "member of an element)");
    }

    @Test
    void keysAreKeptByPostgresAndH2() {
        assertThat(file.problems(ROUTE.formatted("jdbc:mariadb://db/x", "write.idempotency = {}")))
                .containsExactly("main.conf:5: sluice.routes.x.write.idempotency: jdbc:mariadb://db/x "
                        + "(expected: a database of PostgreSQL or H2)");
    }
}
