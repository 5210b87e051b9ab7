package io.sluice.gateway.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.PostgresServer;
import io.sluice.gateway.RunningGateway;
import java.sql.DriverManager;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The check of statements by what their routes need of them. */
class StatementCheckIT {
    private static final String SCHEMA = """
            DROP SCHEMA IF EXISTS statement_check CASCADE;
            CREATE SCHEMA statement_check;
            CREATE TYPE statement_check.state AS ENUM ('new', 'paid');
            CREATE TABLE statement_check.orders (id int PRIMARY KEY, state statement_check.state, doc jsonb,
              tags text[], photo bytea, version int, made timestamptz);
            """;
    private static final String CONFIG = """
            sluice.offload.pools.main { workers = 1 }
            sluice.topics.shop {}
            sluice.databases.main { pool = main, %s }
            sluice.handler-defaults.query.database = main
            """;

    private static String url;

    @BeforeAll
    static void createTheTable() throws Exception {
        PostgresServer postgres = PostgresServer.get();
        url = "url = \"%s\", user = \"%s\", password = \"%s\", connection-timeout = 20s"
                .formatted(postgres.url(), postgres.user(), postgres.password());
        try (var connection = DriverManager.getConnection(postgres.url(), postgres.user(),
                postgres.password()); var statement = connection.createStatement()) {
            statement.execute(SCHEMA);
        }
    }

    /** Returns the lines of the check, without their places. */
    private static List<String> check(String database, String routes) throws Exception {
        try (var gateway = RunningGateway.start(CONFIG.formatted(database)
                + routes.replace("{ path", "{ handler = query, path"))) {
            return gateway.checkStatements().lines().map(line -> line.replaceFirst(".*: sluice\\.routes\\.",
                    "")).filter(line -> line.matches("\\w+(\\.[\\w-]+)+: .*")).toList();
        }
    }

    private static List<String> checkOnPostgres(String routes) throws Exception {
        return check(url + ", session.search-path = [statement_check]", routes);
    }

    /** Each of these would answer every request with a 404, a 500 or without what the route names. */
    @Test
    void reportsAStatementWithoutTheResultThatItsRouteNeeds() throws Exception {
        assertThat(checkOnPostgres("""
                sluice.routes.step { path = /step, methods = [POST], single = true
                  sql = "SELECT id, state FROM orders WHERE id = :order.id"
                  write.steps = [{ name = order, sql = "INSERT INTO orders (id) VALUES (1)" }] }
                sluice.routes.location { path = /location, methods = [POST], single = true
                  sql = "INSERT INTO orders (id) VALUES (1)"
                  write { status = 201, location = "/orders/{id}" } }
                sluice.routes.tag { path = /tag, methods = [POST], single = true, etag = column version
                  sql = "UPDATE orders SET version = 2" }
                sluice.routes.value { path = /value, methods = [POST], single = true, content-type = image/png
                  sql = "UPDATE orders SET version = 2" }
                sluice.routes.values { path = /values, single = true, content-type = image/png
                  sql = "SELECT id, photo FROM orders" }
                sluice.routes.tagged { path = /tagged, single = true, content-type = image/png
                  sql = "SELECT version FROM orders", etag = column version }
                sluice.routes.fine { path = /fine, single = true, content-type = image/png
                  sql = "SELECT photo, version FROM orders", etag = column version }
                sluice.routes.changes { path = /changes, methods = [POST], single = true
                  sql = "UPDATE orders SET version = 2" }
                """)).containsExactlyInAnyOrder(
                        "step.write.steps.0.sql: no result (expected: one with a column id, as by RETURNING)",
                        "location.write.location: no result (expected: one with a column id, as by "
                                + "RETURNING)",
                        "tag.etag: no result (expected: one with a column version, as by RETURNING)",
                        "value.content-type: no result (expected: one column)",
                        "values.content-type: the result has 2 columns (expected: one column)",
                        "tagged.content-type: the result has 0 columns (expected: one column)");
    }

    @Test
    void reportsAResultThatIsNoSingleValueOnH2() throws Exception {
        assertThat(check("url = \"jdbc:h2:mem:statement_check\", user = sa", """
                sluice.routes.values { path = /values, single = true, content-type = image/png
                  sql = "SELECT 1 AS a, 2 AS b" }
                sluice.routes.value { path = /value, single = true, content-type = image/png
                  sql = "SELECT 1 AS a" }
                """)).containsExactly(
                        "values.content-type: the result has 2 columns (expected: one column)");
    }

    @Test
    void knowsTheTypesOfImportsLiveResultsAndParametersOfAllKinds() throws Exception {
        assertThat(checkOnPostgres("""
                sluice.routes.import { path = /import, methods = [PUT], bulk {}
                  sql = "INSERT INTO orders (id, state, doc, tags) VALUES (:id, :state, :doc, :tags)"
                  parameters { id { type = int, from = body }, doc { type = json, from = body }
                    state { type = enum, values = [new, paid], from = body }
                    tags { type = "text[]", from = body } } }
                sluice.routes.import_wrong { path = /import-wrong, methods = [PUT], bulk {}
                  sql = "INSERT INTO orders (id, photo) VALUES (:id, :id)"
                  parameters.id { type = int, from = body } }
                sluice.routes.live { path = "/live/{id}", live { topics = shop, topic = "orders.{id}" }
                  sql = "SELECT id, stat FROM orders WHERE id = :id", parameters.id.type = int }
                sluice.routes.arrays { path = /arrays, parameters { ids.type = "int[]", at.type = "date[]" }
                  sql = "SELECT id FROM orders WHERE id IN (:ids) AND tags && :at" }
                sluice.routes.enums { path = /enums, parameters.state { type = "enum[]", values = [new] }
                  sql = "SELECT id FROM orders WHERE state IN (:state) AND photo = ANY (:state)" }
                sluice.routes.json { path = /json, methods = [POST]
                  parameters.doc { type = json, from = body }
                  sql = "SELECT id FROM orders WHERE doc @> :doc AND photo = CAST(:doc AS jsonb)" }
                """)).satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).startsWith("import_wrong.sql: :id: int (expected: "),
                        line -> assertThat(line).startsWith("live.sql: column \"stat\" does"),
                        line -> assertThat(line).startsWith("arrays.sql: operator does not exist"),
                        line -> assertThat(line).startsWith("json.sql: operator does not exist: byt"));
    }

    /** The recipe for PgBouncer, which refuses a search path of the session. */
    @Test
    void preparesWithTheConstantSettingsOfTransactions() throws Exception {
        String route = """
                sluice.routes.orders { path = /orders, sql = "SELECT id, stat FROM orders" }
                """;
        assertThat(check(url + ", session.local { search_path = \"text statement_check\" }", route))
                .singleElement().asString().startsWith("orders.sql: column \"stat\" does not exist");
        assertThat(check(url + ", session.local { role = \"text nobody_is_called_so\" }", route))
                .containsExactly("orders.sql: session.local: ERROR: role \"nobody_is_called_so\" does not "
                        + "exist");
    }
}
