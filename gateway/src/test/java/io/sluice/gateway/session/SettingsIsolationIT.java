package io.sluice.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.PostgresServer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Isolation of callers: stored answers, over-wide rows and pages of one are not those of another. */
class SettingsIsolationIT {
    private static final String ROUTES = """
            sluice.databases.notes { init-script = [sluice-idempotency.sql], fetch-buffer = 1MiB }
            sluice.databases.notes.session.local { search_path = "text %s", role = "text %s_app" }
            sluice.routes {
              wide { path = /wide, sql = \"""
                SELECT repeat('x',
                  CASE current_setting('app.user') WHEN 'bob' THEN 3000000 ELSE 1 END) AS x\""" }
              once { path = /once, methods = [POST], single = true
                sql = "INSERT INTO notes (body) VALUES (current_setting('app.tenant')) RETURNING body"
                write.idempotency.table = "%s.keys" }
              counted { path = /counted, sql = "SELECT * FROM %s.notes"
                paging { key = [id], count = exact } }
              pages { path = /pages, sql = "SELECT id, owner FROM notes", paging { key = [id] } }
              tenant { path = /tenant, single = true, sql = "SELECT current_setting('app.tenant') AS x" }
            }
            """;

    private static SessionBed bed;

    @BeforeAll
    static void start() throws Exception {
        bed = new SessionBed("isolation_it", 1, PostgresServer.get().url(), ROUTES);
        SessionBed.execute("""
                CREATE TABLE isolation_it.keys (LIKE public.sluice_idempotency INCLUDING ALL);
                GRANT ALL ON isolation_it.keys TO isolation_it_app""");
    }

    @AfterAll
    static void stop() throws Exception {
        if (bed != null) {
            bed.close();
        }
    }

    @Test
    void aRowThatIsTooWideForOneCallerIsNotForOthers() throws Exception {
        for (int i = 0; i < 2; i++) {
            assertThat(bed.ask("bob", "GET", "/wide").statusCode()).isEqualTo(500);
            assertThat(bed.ask("alice", "GET", "/wide").body()).isEqualTo("[{\"x\":\"x\"}]");
        }
    }

    @Test
    void aStoredAnswerIsForTheSameSettings() throws Exception {
        assertThat(once("a").body()).isEqualTo("{\"body\":\"a\"}");

        HttpResponse<String> other = once("b");

        assertThat(other.statusCode()).as(other.body()).isEqualTo(422);
        assertThat(once("a").headers().firstValue("idempotent-replayed")).hasValue("true");
    }

    private static HttpResponse<String> once(String tenant) throws Exception {
        return bed.gateway().send(bed.gateway().request("/once").POST(BodyPublishers.noBody())
                .header("Idempotency-Key", "k").header("X-Tenant", tenant));
    }

    /** Also where a plan of PostgreSQL has become invalid, so that the transaction begins anew. */
    @Test
    void aPageWithACountIsOfItsCaller() throws Exception {
        for (int i = 0; i < 7; i++) { // until the server has prepared it
            requireOwn(bed.ask("alice", "GET", "/counted"), "alice");
        }
        SessionBed.execute("ALTER TABLE isolation_it.notes ADD COLUMN extra INT DEFAULT 1");

        HttpResponse<String> page = bed.ask("alice", "GET", "/counted");

        requireOwn(page, "alice");
        assertThat(page.body()).contains("\"extra\":1");
    }

    /** The columns of the key are looked up in the schema that the settings name. */
    @Test
    void aPageBehindAnotherIsOfItsCaller() throws Exception {
        HttpResponse<String> first = bed.ask("bob", "GET", "/pages?limit=2");
        String link = first.headers().firstValue("link").orElseThrow();

        HttpResponse<String> second = bed.ask("bob", "GET", link.substring(1, link.indexOf('>')));

        assertThat(second.statusCode()).as(second.body()).isEqualTo(200);
        requireOwn(second, "bob");
    }

    private static void requireOwn(HttpResponse<String> answer, String caller) {
        assertThat(answer.body()).contains("\"owner\":\"" + caller + '"');
        assertThat(answer.body().replace("\"owner\":\"" + caller + '"', "")).doesNotContain("\"owner\"");
    }

    /** A proxy may add its own header behind that of the client. */
    @Test
    void aHeaderThatIsThereTwiceIsRefused() throws Exception {
        for (String target : List.of("/tenant", "/pages?limit=x")) {
            HttpRequest.Builder twice = bed.gateway().request(target).header("X-Tenant", "chosen")
                    .header("X-Tenant", "true");

            HttpResponse<String> answer = bed.gateway().send(twice);

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
            assertThat(answer.body()).contains(
                    "{\"parameter\":\"X-Tenant\",\"detail\":\"given 2 times (expected: once)\"}");
            if (target.contains("limit")) {
                assertThat(answer.body()).contains("{\"parameter\":\"limit\"");
            }
        }
    }
}
