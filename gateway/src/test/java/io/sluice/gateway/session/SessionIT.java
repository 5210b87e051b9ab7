package io.sluice.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.gateway.PostgresServer;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Sessions of PostgreSQL, with one connection for all callers. */
class SessionIT {
    private static final List<String> CALLERS = List.of("alice", "bob", "");
    private static final String ROUTES = """
            sluice.databases.notes.session { role = %s_app, search-path = [%s]
              statement-timeout = 20s }
            sluice.offload.pools.reports { workers = 1 }
            sluice.databases.reports = ${sluice.databases.notes} { pool = reports
              session { read-only = true, application-name = "reports of notes" } }
            sluice.routes {
              notes { path = /notes, sql = "SELECT owner FROM notes" }
              long { path = /long, row-limit = 1000000
                sql = "SELECT owner, repeat('x', 1000) AS x FROM notes, generate_series(1, 300)" }
              pages { path = /pages, sql = "SELECT id, owner FROM notes"
                paging { key = [id], count = exact } }
              write { path = /write, methods = [POST], sql = "INSERT INTO notes (body) VALUES ('w')" }
              returning { path = /returning, methods = [POST], single = true
                sql = "INSERT INTO notes (body) VALUES ('r') RETURNING owner" }
              gone { path = /gone, methods = [DELETE]
                sql = "DELETE FROM notes WHERE body IN ('w', 'r')" }
              fails { path = /fails, sql = "SELECT owner, 1 / (id - id) AS x FROM notes" }
              slow { path = /slow, deadline = 100ms, sql = "SELECT owner, pg_sleep(20) AS x FROM notes" }
              altered { path = /altered, sql = "SELECT * FROM notes ORDER BY id" }
              who { path = /who, single = true, sql = \"""
                SELECT current_user::text AS role, current_schemas(false)::text AS path,
                  current_setting('statement_timeout') AS timeout,
                  current_setting('application_name') AS name, current_setting('app.tenant') AS tenant,
                  current_setting('app.source') AS source,
                  pg_backend_pid() AS pid\""" }
              reads { path = /reads, read-only = true, sql = "SELECT write() AS x" }
              writes { path = /writes, sql = "SELECT write() AS x" }
              report { path = /report, database = reports, single = true
                sql = "SELECT current_setting('application_name') AS name, COUNT(*) AS n FROM notes" }
              report-writes { path = /report-writes, database = reports, sql = "SELECT write() AS x" }
              import { path = /import, methods = [PUT], bulk {}
                sql = "INSERT INTO notes (owner, body) VALUES (:owner, :body)"
                parameters { owner { type = text, from = body }, body { type = text, from = body } } }
              give { path = "/give/{owner}", methods = [POST], parameters.owner.type = text
                sql = "INSERT INTO notes (owner, body) VALUES (:owner, 'w')" }
              denied { path = /denied, sql = "SELECT * FROM denied" }
            }
            """;

    private static SessionBed bed;

    @BeforeAll
    static void start() throws Exception {
        bed = new SessionBed("session_it", 1, PostgresServer.get().url(), ROUTES);
        SessionBed.execute("CREATE TABLE session_it.denied (n INT)");
    }

    @AfterAll
    static void stop() throws Exception {
        if (bed != null) {
            bed.close();
        }
    }

    private static String ok(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    private static String own(String caller, int rows) {
        return '[' + String.join(",", Collections.nCopies(rows, "{\"owner\":\"" + caller + "\"}")) + ']';
    }

    /** More often than the driver executes a statement before the server keeps it. */
    @Test
    void callersSeeTheirOwnRowsOverOneConnection() throws Exception {
        for (int i = 0; i < 8; i++) {
            for (String caller : CALLERS) {
                assertThat(ok(bed.ask(caller, "GET", "/notes"))).isEqualTo(own(caller, 3));
            }
            assertThat(bed.ask("alice", "GET", "/fails").statusCode()).isEqualTo(422);
            assertThat(ok(bed.ask("", "GET", "/notes"))).isEqualTo(own("", 3));
        }
        for (String caller : CALLERS) {
            assertThat(ok(bed.ask(caller, "GET", "/long")).split("\"owner\":\"" + caller + '"'))
                    .hasSize(901);
            HttpResponse<String> page = bed.ask(caller, "GET", "/pages?limit=2");
            assertThat(page.headers().firstValue("x-total-count")).hasValue("3");
            assertThat(ok(page)).contains("\"owner\":\"" + caller + '"');
        }
    }

    @Test
    void aChangeBelongsToItsCaller() throws Exception {
        for (int i = 0; i < 8; i++) {
            for (String caller : CALLERS) {
                assertThat(ok(bed.ask(caller, "POST", "/write"))).isEqualTo("{\"updated\":1}");
                assertThat(ok(bed.ask(caller, "POST", "/returning")))
                        .isEqualTo("{\"owner\":\"" + caller + "\"}");
                assertThat(ok(bed.ask(caller, "DELETE", "/gone"))).isEqualTo("{\"updated\":2}");
            }
        }
    }

    /** Row-level security is that of the caller, not of the login, which may insert the rows of all. */
    @Test
    void anImportBelongsToItsCaller() throws Exception {
        for (String caller : List.of("alice", "bob")) {
            HttpResponse<String> mixed = load(caller, "alice", "bob");
            assertThat(mixed.statusCode()).as(mixed.body()).isEqualTo(403);
            assertThat(mixed.body()).contains("rows 0..1: refused by a rule of the database");

            assertThat(ok(load(caller, caller, caller))).isEqualTo("{\"rows\":2}");
            assertThat(ok(bed.ask(caller, "GET", "/notes"))).isEqualTo(own(caller, 5));
            assertThat(ok(bed.ask("", "GET", "/notes"))).isEqualTo(own("", 3));
            assertThat(ok(bed.ask(caller, "DELETE", "/gone"))).isEqualTo("{\"updated\":2}");
        }
    }

    @Test
    void aRowThatIsNotTheCallersIsForbiddenAndAMissingGrantIsTheGatewaysFault() throws Exception {
        HttpResponse<String> refused = bed.ask("alice", "POST", "/give/bob");
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(403);
        assertThat(refused.body()).contains("refused by a rule of the database");

        assertThat(bed.ask("alice", "GET", "/denied").statusCode()).isEqualTo(500);
    }

    private static HttpResponse<String> load(String caller, String... owners) throws Exception {
        String rows = Stream.of(owners).map("{\"owner\":\"%s\",\"body\":\"w\"}"::formatted)
                .collect(Collectors.joining(",", "[", "]"));
        return bed.gateway().send(bed.gateway().request("/import").PUT(BodyPublishers.ofString(rows))
                .header("Authorization", "Bearer " + caller));
    }

    /** Beside statements that are cancelled, by their deadline or because their client goes away. */
    @Test
    void aCancelledStatementLeavesNoCaller() throws Exception {
        assertThat(bed.ask("alice", "GET", "/slow").statusCode()).isEqualTo(504);
        for (int i = 0; i < 5; i++) {
            CompletableFuture<Integer> late = CompletableFuture.supplyAsync(() -> {
                try {
                    return bed.ask("alice", "GET", "/slow").statusCode();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            try (RawClient leaving = bed.gateway().connect()) {
                leaving.send("GET /slow HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer bob\r\n\r\n");
            }
            assertThat(ok(bed.ask("", "GET", "/notes"))).isEqualTo(own("", 3));
            assertThat(late.join()).isIn(503, 504); // it may be too late for one more before it begins
            assertThat(ok(bed.ask("", "GET", "/notes"))).isEqualTo(own("", 3));
            assertThat(ok(bed.ask("bob", "GET", "/notes"))).isEqualTo(own("bob", 3));
        }
    }

    @Test
    void theSessionIsAsConfiguredAndAHeaderIsBound() throws Exception {
        HttpResponse<String> answer = bed.gateway().send(
                bed.gateway().request("/who").header("X-Tenant", "a'); DROP TABLE notes; --"));

        assertThat(ok(answer)).startsWith("{\"role\":\"session_it_app\",\"path\":\"{session_it}\","
                + "\"timeout\":\"20s\",\"name\":\"sluice-notes\",\"tenant\":\"a'); DROP TABLE notes; --\","
                + "\"source\":\"a 'b\",");
        assertThat(answer.headers().firstValue("vary").orElse("").split(", ")).as("for caches")
                .containsExactlyInAnyOrder("accept", "authorization", "x-tenant");
    }

    @Test
    void aReadOnlyQueryCannotWriteAndKeepsItsConnection() throws Exception {
        String before = ok(bed.ask("", "GET", "/who"));

        assertThat(bed.ask("alice", "GET", "/reads").statusCode()).isEqualTo(500);
        assertThat(ok(bed.ask("", "GET", "/who"))).as("with its connection's number").isEqualTo(before);
        assertThat(ok(bed.ask("alice", "GET", "/writes"))).isEqualTo("[{\"x\":1}]");
        assertThat(ok(bed.ask("alice", "DELETE", "/gone"))).isEqualTo("{\"updated\":1}");
    }

    @Test
    void aReadOnlySessionRefusesAChangeAndHasItsName() throws Exception {
        String report = "{\"name\":\"reports of notes\",\"n\":3}";
        assertThat(ok(bed.ask("alice", "GET", "/report"))).isEqualTo(report);

        assertThat(bed.ask("alice", "GET", "/report-writes").statusCode()).isEqualTo(500);

        assertThat(ok(bed.ask("alice", "GET", "/report"))).isEqualTo(report);
    }

    @Test
    void aTableThatIsAlteredIsReadAsItIsNow() throws Exception {
        for (int i = 0; i < 7; i++) { // until the server has prepared it
            ok(bed.ask("alice", "GET", "/altered"));
        }
        SessionBed.execute("ALTER TABLE session_it.notes ADD COLUMN extra INT DEFAULT 1");

        assertThat(ok(bed.ask("alice", "GET", "/altered"))).contains("\"extra\":1");
    }

    @Test
    void aPropertyThatTheDriverDoesNotKnowIsTold() {
        assertThatThrownBy(() -> RunningGateway.start("""
                sluice.offload.pools.p {}
                sluice.databases.d { url = "jdbc:postgresql:d", pool = p
                  properties.tragetServerType = primary }
                """)).hasMessageContaining("sluice.databases.d.properties.tragetServerType: unknown to")
                .hasMessageContaining("did you mean targetServerType?").hasMessageNotContaining("primary\"");
    }
}
