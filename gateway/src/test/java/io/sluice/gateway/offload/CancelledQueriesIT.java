package io.sluice.gateway.offload;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.PostgresServer;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Cancelled queries on PostgreSQL, which lists its running statements. */
@ParameterizedClass
@EnumSource(PoolKind.class)
class CancelledQueriesIT extends CancelledQueriesContract {
    private static final String LARGE = "GET /large HTTP/1.1\r\nHost: x\r\n\r\n";

    private static PostgresServer postgres;
    private static Statements statements;

    @BeforeAll
    static void startPostgres() throws SQLException {
        postgres = PostgresServer.get();
        statements = new Statements(postgres.url(), postgres.user(), postgres.password());
    }

    @AfterAll
    static void stopPostgres() throws SQLException {
        if (statements != null) {
            statements.close();
        }
    }

    @Override
    String ownConfig() {
        return """
                sluice.databases.main { url = "%s", user = "%s", password = "%s" }
                sluice.routes {
                  sleep { path = "/sleep", handler = query, sql = "SELECT /*cancel*/ pg_sleep(600)" }
                  session {
                    path = "/session", handler = query
                    sql = "SELECT /*cancel*/ pg_backend_pid() AS session FROM pg_sleep(0.2)"
                  }
                  quick { path = "/quick", handler = query, sql = "SELECT /*cancel*/ 1 AS ok" }
                  large {
                    path = "/large", handler = query
                    sql = "SELECT /*cancel*/ repeat('x', 2000) AS data FROM generate_series(1, 20000)"
                  }
                }
                """.formatted(postgres.url(), postgres.user(), postgres.password());
    }

    @Override
    int running() {
        return statements.running("SELECT /*cancel*/ ");
    }

    static Stream<Arguments> waysToGoUnread() {
        return Stream.of(
                Arguments.of(Behind.NOTHING, HangUp.RESET),
                Arguments.of(Behind.THIRTY_KIB, HangUp.SHUT_OUTPUT));
    }

    @ParameterizedTest
    @MethodSource("waysToGoUnread")
    void aCrowdThatNeverReadsItsLargeAnswersTakesThemWithIt(Behind behind, HangUp how) throws Exception {
        try (var crowd = new Crowd(gateway.port(), WORKERS)) {
            crowd.ask(behind.after(LARGE));
            await().atMost(ofMinutes(1)).during(ofMillis(300)).pollInterval(ofMillis(20))
                    .until(() -> statements.stalled("SELECT /*cancel*/ ") == WORKERS);

            crowd.hangUp(how);
            assertFreeSoon(WORKERS);
        }
        assertEveryConnectionWorks();
    }
}
