package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.check.CheckWarnings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The check of statements against a database: on demand, and after a start. */
class DatabaseCheckIT {
    private static final String TABLE = """
            CREATE TABLE checked_orders (id int PRIMARY KEY, note varchar(100), total numeric(10, 2),
                made timestamp, code uuid, data json)""";
    private static final String SQL = """
            -- name: correct
            SELECT id, note FROM checked_orders WHERE id = :id AND (note = :note OR NOT :note_sent)
            -- name: change
            UPDATE checked_orders SET note = :note WHERE id = :id
            -- name: syntax
            SELECT id
              FORM checked_orders WHERE id = :id
            -- name: column
            SELECT id,
                   totl
              FROM checked_orders WHERE id = :id
            -- name: table
            SELECT id FROM no_such_orders WHERE id = :id
            -- name: type
            UPDATE checked_orders SET total = :id, made = :id WHERE id = :id
            -- name: twice
            SELECT id, note AS id FROM checked_orders WHERE id = :id
            """;

    @TempDir
    private Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void writeTheStatements() throws Exception {
        Files.writeString(folder.resolve("orders.sql"), SQL);
        Files.writeString(folder.resolve("table.sql"), TABLE);
    }

    @Test
    void reportsWhatPostgresRejects() throws Exception {
        assertThat(check(postgres(), routes())).containsExactly(
                "main.conf:7: sluice.routes.inline.sql: relation \"nothing\" does not exist, at: nothing",
                "orders.sql:7: sluice.routes.syntax.sql: syntax error at or near \"checked_orders\", "
                        + "at: checked_orders WHERE id = $1",
                "orders.sql:10: sluice.routes.column.sql: column \"totl\" does not exist (Perhaps "
                        + "you meant to reference the column \"checked_orders.total\".), at: totl",
                "orders.sql:13: sluice.routes.table.sql: relation \"no_such_orders\" does not exist, at: "
                        + "no_such_orders WHERE id = $1",
                "orders.sql:15: sluice.routes.type.sql: :id: int (expected: a type for timestamp, which the "
                        + "database infers)",
                "orders.sql:17: sluice.routes.twice.sql: two columns are called id (expected: a name for "
                        + "each: id AS other)");
    }

    @Test
    void reportsWhatH2Rejects() throws Exception {
        assertThat(check(h2(), routes())).satisfiesExactly(
                line -> assertThat(line).startsWith("main.conf:7: sluice.routes.inline.sql: Table "
                        + "\"NOTHING\" not found"),
                line -> assertThat(line).startsWith("orders.sql:7: sluice.routes.syntax.sql: Syntax error in "
                        + "SQL statement"),
                line -> assertThat(line).startsWith("orders.sql:9: sluice.routes.column.sql: Column \"TOTL\" "
                        + "not found"),
                line -> assertThat(line).startsWith("orders.sql:13: sluice.routes.table.sql: Table "
                        + "\"NO_SUCH_ORDERS\" not found"),
                line -> assertThat(line).isEqualTo("orders.sql:15: sluice.routes.type.sql: :id: int "
                        + "(expected: a type for TIMESTAMP, which the database infers)"),
                line -> assertThat(line).startsWith("orders.sql:17: sluice.routes.twice.sql: two columns are "
                        + "called ID"));
    }

    @Test
    void findsNothingInCorrectStatements() throws Exception {
        assertThat(check(h2(), route("correct") + route("change"))).isEmpty();
        assertThat(out.toString()).contains("/correct")
                .endsWith("\nstatements: accepted by their databases\n");
    }

    @Test
    void checksEveryStatementOfATransaction() throws Exception {
        assertThat(check(h2(), """
                sluice.routes.x { path = /x, methods = [POST], handler = query
                  sql = "SELECT CAST(:made.id AS INTEGER) + 1 AS id"
                  write {
                    steps = [
                      { name = made, sql = "SELECT id FROM checked_orders WHERE id = :id" }
                      { sql-file = "orders.sql#table" }
                      { each = lines
                        sql = "INSERT INTO checked_lines (id, sku) VALUES (:made.id, :lines.sku)" }
                    ]
                    idempotency {}
                  }
                  parameters { id { type = int }, "lines.sku" { type = text } } }
                """)).satisfiesExactly(
                        line -> assertThat(line).startsWith("main.conf:7: sluice.routes.x.write.idempotency"
                                + ".table: Schema \"public\" not found"),
                        line -> assertThat(line).startsWith("main.conf:13: sluice.routes.x.write.steps.2"
                                + ".sql: Table \"CHECKED_LINES\" not found"),
                        line -> assertThat(line).startsWith("orders.sql:13: sluice.routes.x.write.steps.1"
                                + ".sql: Table \"NO_SUCH_ORDERS\" not found"));
    }

    @Test
    void findsNothingInTheDemo() {
        assertThat(run("check", "--database")).as("%s", err).isZero();
    }

    @Test
    void aDatabaseThatCannotBeReachedIsAMistake() throws Exception {
        assertThat(check("url = \"jdbc:postgresql://127.0.0.1:1/none\", connection-timeout = 20s",
                route("correct"))).singleElement().asString()
                .startsWith("main.conf:2: sluice.databases.main: Connection to 127.0.0.1:1 refused");
    }

    @Test
    void aStartLogsMistakesAndServes() throws Exception {
        try (var log = new CheckWarnings(); var gateway = RunningGateway.start(
                served(route("correct") + route("column")))) {
            log.awaitThat("orders.sql:9: sluice.routes.column.sql: Column \"TOTL\" not found");
            assertThat(gateway.get("/correct?id=1").body()).isEqualTo("[]");
        }
    }

    @Test
    void aReloadChecksTheRoutesThatAreNewOrChanged() throws Exception {
        try (var log = new CheckWarnings(); var gateway = RunningGateway.start(served(route("column")))) {
            log.awaitThat("routes.column.sql");

            gateway.reload(served(route("column") + route("table")));
            log.awaitThat("routes.column.sql", "routes.table.sql");

            gateway.reload(served(route("column") + route("table").replace("#table", "#syntax")));
            log.awaitThat("routes.column.sql", "routes.table.sql", "routes.table.sql: Syntax");
        }
    }

    @Test
    void aReloadCancelsACheckThatWaitsForItsDatabase() throws Exception {
        String unreachable = served(route("column")).replace(h2(),
                "url = \"jdbc:postgresql://127.0.0.1:1/none\", connection-timeout = 1s");
        try (var log = new CheckWarnings(); var gateway = RunningGateway.start(unreachable)) {
            gateway.reload(unreachable + route("table").replace("\"orders", "\"" + folder + "/orders"));
            gateway.reload(served(route("table")));

            log.awaitThat("routes.table.sql");
        }
    }

    private String served(String routes) {
        return config(h2(), routes).replace("\"orders.sql", "\"" + folder.resolve("orders.sql"));
    }

    @Test
    void reportsColumnsThatAResultLacks() throws Exception {
        assertThat(check(postgres(), """
                sluice.routes.list { path = /list, handler = query
                  sql = "SELECT id, note, total FROM checked_orders WHERE id > :least -- those"
                  parameters.least { type = int, default = 0 }
                  sort.allowed = [id, prize]
                  filter { total = [like], id = [in, ge] }
                  paging.key = [ID] }
                sluice.routes.row { path = "/row/{id}", handler = query, single = true
                  sql = "SELECT id, note FROM checked_orders WHERE id = :id", parameters.id.type = int
                  etag = column versoin }
                sluice.routes.add { path = /add, methods = [POST], handler = query, single = true
                  sql = "SELECT id, CAST(:made.idd AS VARCHAR) AS made FROM checked_orders"
                  write { location = "/orders/{nr}/{ID}"
                    steps = [{ name = made, sql = "SELECT 7 AS id" }] } }
                sluice.routes.fine { path = /fine, handler = query
                  sql = "SELECT id, note FROM checked_orders WHERE id IN (:ids)"
                  parameters.ids { type = "int[]", required = false }
                  sort { allowed = [id], default = "-id" }
                  filter { note = [like, in], id = [eq] }
                  paging.key = ["-id"] }
                """)).satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).isEqualTo("main.conf:9: sluice.routes.list.sort.allowed: "
                                + "column \"prize\" does not exist, at: \"prize\""),
                        line -> assertThat(line).startsWith("main.conf:10: sluice.routes.list.filter: "
                                + "operator does not exist: numeric ~~ unknown"),
                        line -> assertThat(line).startsWith("main.conf:11: sluice.routes.list.paging.key: "
                                + "column \"ID\" does not exist"),
                        line -> assertThat(line).isEqualTo("main.conf:14: sluice.routes.row.etag: no column "
                                + "versoin (expected: one of id, note)"),
                        line -> assertThat(line).isEqualTo("main.conf:17: sluice.routes.add.write.location: "
                                + "no column nr (expected: one of id, made)"),
                        line -> assertThat(line).isEqualTo("main.conf:18: sluice.routes.add.write.steps.0."
                                + "sql: no column idd (expected: one of id)"));
    }

    @Test
    void reportsSelectionsThatH2Rejects() throws Exception {
        assertThat(check(h2(), """
                sluice.routes.list { path = /list, handler = query
                  sql = "SELECT id, note FROM checked_orders -- all"
                  filter { NOTE = [like], ID = [in, ge] }, sort.allowed = [ID], paging.key = [id] }
                """)).singleElement().asString().startsWith("main.conf:8: sluice.routes.list.paging.key: "
                        + "Column \"id\" not found");
    }

    private static String postgres() throws SQLException {
        PostgresServer postgres = PostgresServer.get();
        try (var connection = DriverManager.getConnection(postgres.url(), postgres.user(),
                postgres.password()); var statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS checked_orders");
            statement.execute(TABLE);
        }
        return "url = \"%s\", user = \"%s\", password = \"%s\", connection-timeout = 20s"
                .formatted(postgres.url(), postgres.user(), postgres.password());
    }

    private String h2() {
        return "url = \"jdbc:h2:mem:%s\", user = sa, init-script = \"%s\"".formatted(folder.getFileName(),
                folder.resolve("table.sql"));
    }

    private static String config(String database, String routes) {
        return """
                sluice.offload.pools.main { workers = 1 }
                sluice.databases.main { pool = main, %s }
                sluice.handler-defaults.query {
                  database = main
                }
                """.formatted(database) + routes;
    }

    private static String routes() {
        return """
                sluice.routes.inline { path = /inline, handler = query
                  sql = "SELECT 1 FROM nothing" }
                """ + route("correct") + route("change") + route("syntax") + route("column") + route("table")
                + route("type") + route("twice");
    }

    private static String route(String name) {
        return """
                sluice.routes.%1$s { path = /%1$s, handler = query, sql-file = "orders.sql#%1$s"
                  methods = [GET, POST], write-on-get = true, parameters { id { type = int } %2$s } }
                """.formatted(name, name.startsWith("c") && !name.equals("column")
                ? ", note { type = text, required = false }" : "");
    }

    /** Returns the reported mistakes. */
    private List<String> check(String database, String routes) throws Exception {
        Path file = Files.writeString(folder.resolve("main.conf"), config(database, routes));
        int code = run("check", "--database", "--config", file.toString());
        List<String> mistakes = err.toString().lines()
                .map(line -> line.replace(folder.toString() + '/', "")).toList();
        assertThat(code).as("%s", mistakes).isEqualTo(mistakes.isEmpty() ? 0 : 2);
        return mistakes;
    }

    private int run(String... args) {
        return Commands.line().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true))
                .execute(args);
    }
}
