package io.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.GatewayConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.HoconFile;
import io.sluice.config.QueryStatements;
import io.sluice.config.type.NamedSql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlFilesTest {
    private static final String DATABASE = """
            sluice.offload.pools.p {}
            sluice.databases.d { url = x, pool = p }
            """;
    private static final String ROUTE = DATABASE + """
            sluice.routes.x { path = /x, handler = query, database = d
              sql-file = "%s" }
            """;
    private static final String ORDERS = """
            /* The orders
               of the shop. */
            -- name: all-orders
            -- Newest first.
            SELECT id FROM orders
             ORDER BY id DESC;

              --name:count_orders

            SELECT '
            -- not the name of a statement' AS text, count(*) FROM orders
            """;

    @TempDir
    private Path directory;
    private HoconFile file;

    @BeforeEach
    void useTheDirectory() {
        file = new HoconFile(directory);
        file.write("orders.sql", ORDERS);
    }

    @Test
    void aRouteTakesTheStatementOfItsName() {
        assertThat(sql(file.load(ROUTE.formatted("orders.sql#all-orders"))))
                .isEqualTo("-- Newest first.\nSELECT id FROM orders\n ORDER BY id DESC;");
        assertThat(sql(file.load(ROUTE.formatted("orders.sql#count_orders"))))
                .startsWith("SELECT '\n-- not the name").endsWith("FROM orders");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SELECT 1               | SELECT 1
            -- name: one\\nSELECT 2 | SELECT 2
            """)
    void aFileWithOneStatementNeedsNoName(String content, String sql) {
        file.write("one.sql", content.replace("\\n", "\n"));

        assertThat(sql(file.load(ROUTE.formatted("one.sql")))).isEqualTo(sql);
    }

    @Test
    void aStepTakesTheStatementOfItsName() {
        LoadedConfig loaded = file.loaded(DATABASE + """
                sluice.routes.x { path = /x, handler = query, database = d, sql = "SELECT 1"
                  write.steps = [{ sql = "SELECT 2" }, { sql-file = "orders.sql#all-orders" }] }
                """);
        var query = (HandlerConfig.Query) loaded.config().routes().get("x").handler();

        assertThat(QueryStatements.of(query)).extracting(NamedSql::toString).containsExactly("SELECT 2",
                "-- Newest first.\nSELECT id FROM orders\n ORDER BY id DESC;", "SELECT 1");
        assertThat(loaded.effective().origin("sluice.routes.x.write.steps.1.sql")).endsWith("orders.sql:4");
    }

    @Test
    void aFileIsInTheFolderOfTheFileThatNamesIt() throws IOException {
        Files.createDirectory(directory.resolve("shop"));
        file.write("shop/routes.conf", ROUTE.formatted("one.sql"));
        file.write("shop/one.sql", "SELECT 'beside routes.conf'");
        file.write("one.sql", "SELECT 'beside main.conf'");

        assertThat(sql(file.load("include \"shop/routes.conf\""))).isEqualTo("SELECT 'beside routes.conf'");
        assertThat(sql(file.load("include \"shop/routes.conf\"", "sluice.routes.x.sql-file=one.sql")))
                .isEqualTo("SELECT 'beside main.conf'");
    }

    @Test
    void theEffectiveConfigurationHasTheLineOfTheStatement() {
        LoadedConfig loaded = file.loaded(ROUTE.formatted("orders.sql#count_orders"));

        assertThat(loaded.effective().entries()).filteredOn(e -> e.path().startsWith("sluice.routes.x.sql"))
                .extracting(e -> e.path() + " " + Path.of(e.origin()).getFileName())
                .containsExactly("sluice.routes.x.sql orders.sql:10", "sluice.routes.x.sql-file main.conf:4");
        assertThat(loaded.files()).containsOnlyKeys(directory.resolve("main.conf"),
                directory.resolve("orders.sql"));
    }

    @Test
    void aChangedStatementIsAChange() {
        GatewayConfig before = file.load(ROUTE.formatted("orders.sql#all-orders"));
        file.write("orders.sql", ORDERS.replace("DESC", "ASC"));

        ConfigDiff diff = ConfigDiff.between(before, file.load(ROUTE.formatted("orders.sql#all-orders")));

        assertThat(diff.changes()).extracting(ConfigDiff.Change::path).containsExactly("sluice.routes.x.sql");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            orders.sql            | "orders.sql#…" in quotes, with one of all-orders, count_orders
            orders.sql#           | "orders.sql#…" in quotes, with one of all-orders, count_orders
            orders.sql#all_orders | "orders.sql#…" in quotes, with one of all-orders, count_orders; \
            did you mean all-orders?
            plain.sql#one         | plain.sql, as its statement has no name
            other.sql             | a readable file in UTF-8, optionally with #name of a statement
            #all                  | a readable file in UTF-8, optionally with #name of a statement
            """)
    void aStatementThatIsNotThereIsAMistake(String value, String expected) {
        file.write("plain.sql", "SELECT 1");

        assertThat(file.problems(ROUTE.formatted(value))).containsExactly(
                "main.conf:4: sluice.routes.x.sql-file: " + value + " (expected: " + expected + ")");
    }

    @Test
    void mistakesAreLocatedInTheFileOnce() {
        file.write("wrong.sql", """
                SELECT 0;
                -- name: a
                SELECT 1;
                -- name: a b
                SELECT 2;
                -- name: a
                SELECT 3;
                """);

        assertThat(file.problems(ROUTE.formatted("wrong.sql#a") + """
                sluice.routes.y = ${sluice.routes.x}
                sluice.routes.y.path = /y
                """)).containsExactly(
                "wrong.sql:1: SQL without a name (expected: -- name: of-the-statement before it)",
                "wrong.sql:4: -- name: a b (expected: letters, digits, - and _)",
                "wrong.sql:6: -- name: a (expected: a name of its own; line 2 has this one)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            SELECT 'a           | SELECT 'a (expected: a closing ')
            SELECT 1; SELECT 2  | SELECT 1; SELECT 2 (expected: one statement, with no other behind its ;)
            -- only a comment   | -- only a comment (expected: an SQL statement)
            SELECT :id          | :id (expected: parameters { id { type = … } } for it)
            DELETE FROM a       | DELETE on GET (expected: a statement that only reads, methods = [POST], or \
            write-on-get = true)
            """)
    void aStatementThatCannotBeUsedIsLocatedInTheFile(String sql, String problem) {
        file.write("wrong.sql", "-- name: a\n\n" + sql + "\n");

        assertThat(file.problems(ROUTE.formatted("wrong.sql#a"))).containsExactly(
                "wrong.sql:3: sluice.routes.x.sql: " + problem);
    }

    @Test
    void aRouteHasEitherAStatementOrAFile() {
        assertThat(file.problems(ROUTE.formatted("orders.sql#all-orders")
                + "sluice.routes.x.sql = \"SELECT 1\"")).containsExactly(
                "main.conf:4: sluice.routes.x.sql-file: orders.sql#all-orders (expected: either sql or "
                        + "sql-file)");
    }

    private static String sql(GatewayConfig config) {
        return ((HandlerConfig.Query) config.routes().get("x").handler()).sql().toString();
    }
}
