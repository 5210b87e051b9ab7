package io.sluice.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.PostgresServer;
import io.sluice.gateway.RunningGateway;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parameters of the type timestamp on PostgreSQL, in UTC and in a zone whose offset changes. */
class TimestampIT {
    private static final String TABLES = """
            DROP TABLE IF EXISTS stamped;
            CREATE TABLE stamped (id int, period tsrange, at timestamptz, local timestamp);
            INSERT INTO stamped VALUES
              (1, '[2026-01-31 11:00, 2026-01-31 12:00)', '2026-01-31T10:00Z', '2026-01-31 11:00'),
              (2, NULL, '2026-10-25T00:30Z', '2026-10-25 02:30'), (3, NULL, '2026-10-25T01:30Z', NULL),
              (4, NULL, '1947-06-01T00:00Z', NULL);
            """;
    private static final String CONFIG = """
            sluice.log.access = off
            sluice.offload.pools.main { workers = 1 }
            sluice.database-defaults { pool = main, url = "%s", user = "%s", password = "%s"
              connection-timeout = 20s, time-zone = Europe/Berlin }
            sluice.databases { berlin {}, utc.time-zone = UTC
              stockholm.time-zone = Europe/Stockholm
              chosen { session.local.TimeZone = "header X-Zone" } }
            sluice.handler-defaults.query { database = berlin, parameters.at.type = timestamp }
            sluice.routes {
              within { path = /within, handler = query
                sql = "SELECT id FROM stamped WHERE period && tsrange(:at, NULL)" }
              within-utc = ${sluice.routes.within} { path = /within-utc, database = utc }
              moments-utc = ${sluice.routes.moments} { path = /moments-utc, database = utc }
              old = ${sluice.routes.moments} { path = /old, database = stockholm }
              moments { path = /moments, handler = query, sql = "SELECT id FROM stamped WHERE at = :at" }
              locals { path = /locals, handler = query, sql = "SELECT id FROM stamped WHERE local = :at" }
              written { path = /written, methods = [POST], handler = query
                sql = "UPDATE stamped SET local = :at WHERE id = 3 RETURNING local" }
              chosen { path = /chosen, handler = query, database = chosen
                sql = "SELECT id FROM stamped WHERE at = :at" }
            }
            """;

    private static RunningGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        SessionBed.execute(TABLES);
        PostgresServer postgres = PostgresServer.get();
        gateway = RunningGateway.start(CONFIG.formatted(postgres.url(), postgres.user(),
                postgres.password()));
    }

    @AfterAll
    static void stop() throws Exception {
        if (gateway != null) {
            gateway.close();
            SessionBed.execute("DROP TABLE stamped");
        }
    }

    /** An offset of a client must not make a function unknown that is one for timestamps. */
    @ParameterizedTest
    @CsvSource({
        "/within, 2026-01-31T11:30:00, [{\"id\":1}]",
        "/within-utc, 2026-01-31T12:30:00%2B01:00, [{\"id\":1}]",
        "/within-utc, 2026-01-31T11:30:00Z, [{\"id\":1}]",
        "/within-utc, 2026-01-31T12:30:00Z, []",
        "/moments-utc, 2026-01-31T12:00:00%2B02:00, [{\"id\":1}]",
        "/old, 1947-06-01T00:00:00Z, [{\"id\":4}]", // Java's rules for Stockholm are those of Berlin
        "/locals, 2026-01-31T10:00:00Z, [{\"id\":1}]",
        "/locals, 2026-01-31T11:00:00, [{\"id\":1}]",
        "/moments, 2026-01-31T12:00:00%2B02:00, [{\"id\":1}]",
        "/moments, 2026-01-31T11:00:00, [{\"id\":1}]",
        "/moments, 2026-10-25T00:30:00Z, [{\"id\":2}]", // both are 02:30 in Berlin
        "/moments, 2026-10-25T01:30:00Z, [{\"id\":3}]",
        "/locals, 2026-10-25T00:30:00Z, []", // to the database, 02:30 is the later one
        "/locals, 2026-10-25T01:30:00Z, [{\"id\":2}]",
    })
    void anOffsetIsThatMomentWhereverItStands(String path, String at, String rows) throws Exception {
        for (int i = 0; i < 7; i++) { // the server prepares it at about the sixth time
            HttpResponse<String> answer = gateway.get(path + "?at=" + at);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo(rows);
        }
    }

    @Test
    void aTimestampIsStoredInTheTimeZoneOfItsDatabase() throws Exception {
        assertThat(gateway.post("/written?at=2026-07-31T10:00:00Z", "").body())
                .isEqualTo("[{\"local\":\"2026-07-31T12:00:00\"}]");
    }

    @Test
    void aMomentIsOneInATimeZoneThatTheRequestChooses() throws Exception {
        for (String zone : new String[] {"Asia/Tokyo", "UTC"}) {
            assertThat(gateway.send(gateway.request("/chosen?at=2026-01-31T10:00:00Z").header("X-Zone", zone))
                    .body()).isEqualTo("[{\"id\":1}]");
        }
    }
}
