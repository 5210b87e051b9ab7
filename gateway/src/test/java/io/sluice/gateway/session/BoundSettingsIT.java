package io.sluice.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.PostgresServer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Settings before statements whose parameters have no type. The driver describes such a statement when it
 * gets a name, and sends a Sync before it from then on. The login is a superuser, who sees all rows.
 */
class BoundSettingsIT {
    /** More often than the driver executes a statement before it gets a name. */
    private static final int TIMES = 10;
    private static final Pattern CURSOR = Pattern.compile("[?&]cursor=([^&>]+)");
    private static final String ROUTES = """
            sluice.databases.notes.session.local { role = "text %s_app" }
            sluice.handler-defaults.query.row-limit = 20
            sluice.routes {
              filter { path = /filter, filter.owner = [in], sql = "SELECT owner FROM %s.notes" }
              pages { path = /pages, paging.key = [body, owner], sql = "SELECT body, owner FROM %s.notes" }
              enum { path = /enum, parameters.kind { type = enum, values = [a], required = false }
                sql = "SELECT owner FROM %s.notes WHERE coalesce(CAST(:kind AS text), 'a') = 'a'" }
              single { path = /single, single = true, parameters.kind { type = enum, values = [a] }
                sql = \"""SELECT string_agg(owner, ',') AS owner FROM %s.notes
                  WHERE CAST(:kind AS text) = 'a'\""" }
              enums { path = /enums, parameters.kind { type = "enum[]", values = [a, b] }
                sql = "SELECT owner FROM %s.notes WHERE 'a' = ANY (CAST(:kind AS text[]))" }
              json { path = /json, methods = [POST], parameters.doc { type = json, from = body }
                sql = "SELECT owner FROM %s.notes WHERE CAST(:doc AS jsonb) IS NOT NULL" }
              write { path = /write, methods = [POST], parameters.doc { type = json, from = body }
                sql = "UPDATE %s.notes SET body = body WHERE CAST(:doc AS jsonb) IS NOT NULL" }
            }
            """;

    private static SessionBed bed;

    @BeforeAll
    static void start() throws Exception {
        bed = new SessionBed("bound_settings_it", 1, PostgresServer.get().url(), ROUTES);
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

    @ParameterizedTest
    @CsvSource({"/filter?owner[in]=alice%2Cbob", "/enum?kind=a", "/enum", "/enums?kind=b&kind=a"})
    void aCallerSeesItsOwnRowsHoweverOftenTheStatementRuns(String target) throws Exception {
        for (int i = 0; i < TIMES; i++) {
            assertThat(ok(bed.ask("alice", "GET", target))).as("request %d", i).isEqualTo(
                    "[{\"owner\":\"alice\"},{\"owner\":\"alice\"},{\"owner\":\"alice\"}]");
        }
    }

    @Test
    void callerSettingAppliesToASingleRow() throws Exception {
        for (int i = 0; i < TIMES; i++) {
            assertThat(ok(bed.ask("alice", "GET", "/single?kind=a"))).as("request %d", i)
                    .isEqualTo("{\"owner\":\"alice,alice,alice\"}");
        }
    }

    @Test
    void callerSettingAppliesBehindACursor() throws Exception {
        HttpResponse<String> first = bed.ask("alice", "GET", "/pages?limit=1");
        Matcher link = CURSOR.matcher(first.headers().firstValue("link").orElse(""));
        assertThat(link.find()).as(first.headers().toString()).isTrue();

        for (int i = 0; i < TIMES; i++) {
            assertThat(ok(bed.ask("alice", "GET", "/pages?limit=9&cursor=" + link.group(1))))
                    .as("request %d", i)
                    .isEqualTo("[{\"body\":\"2\",\"owner\":\"alice\"},{\"body\":\"3\",\"owner\":\"alice\"}]");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "/json | [{\"owner\":\"alice\"},{\"owner\":\"alice\"},{\"owner\":\"alice\"}]",
        "/write | {\"updated\":3}"})
    void callerSettingAppliesToDocumentParametersAndChanges(String path, String body) throws Exception {
        for (int i = 0; i < TIMES; i++) {
            HttpRequest.Builder request = bed.gateway().request(path)
                    .POST(BodyPublishers.ofString("{\"doc\":{\"a\":1}}"))
                    .header("Content-Type", "application/json").header("Authorization", "Bearer alice");
            assertThat(ok(bed.gateway().send(request))).as("request %d", i).isEqualTo(body);
        }
    }
}
