package io.sluice.gateway.offload;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.PostgresServer;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Deadlines that clients set with {@code X-Request-Timeout}, and work that cannot meet them. */
class DeadlineIT {
    private static final String TIMEOUT = "X-Request-Timeout";
    private static final String SLEEPS = "SELECT /*deadline*/";

    private static PostgresServer postgres;
    private static Statements statements;

    private final PoolKind kind = PoolKind.PLATFORM;
    private RunningGateway gateway;
    private PoolScrape pool;

    @BeforeAll
    static void startPostgres() throws SQLException {
        postgres = PostgresServer.get();
        statements = new Statements(postgres.url(), postgres.user(), postgres.password());
        statements.change("CREATE TABLE notes (text VARCHAR(20))");
    }

    @AfterAll
    static void stopPostgres() throws SQLException {
        if (statements != null) {
            statements.close();
        }
    }

    @BeforeEach
    void start() throws Exception {
        statements.change("TRUNCATE notes");
        gateway = RunningGateway.start("""
                sluice.offload.pools.main { workers = 1, deadline = 5m, %s }
                sluice.databases.main { url = "%s", user = "%s", password = "%s", pool = main }
                sluice.handler-defaults.query.database = main
                sluice.routes {
                  sleep {
                    path = "/sleep/{seconds}", handler = query, deadline = 5m
                    sql = "SELECT /*deadline*/ 1 AS ok FROM pg_sleep(:seconds)"
                    parameters.seconds.type = decimal
                  }
                  sleep-soon {
                    path = "/sleep-soon", handler = query, deadline = 700ms
                    sql = "SELECT /*deadline*/ 1 AS ok FROM pg_sleep(300)"
                  }
                  note {
                    path = "/notes", methods = [POST], handler = query
                    sql = "INSERT INTO notes VALUES (:text)", parameters.text { type = text, from = body }
                  }
                }
                """.formatted(kind.setting(), postgres.url(), postgres.user(), postgres.password()));
        pool = new PoolScrape(gateway.adminPort(), "main");
        assertThat(gateway.get("/sleep/0").statusCode()).isEqualTo(200); // the worker has a connection now
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private HttpResponse<String> get(String target, String timeout) throws IOException, InterruptedException {
        return gateway.send(gateway.request(target).header(TIMEOUT, timeout));
    }

    private static void assertRefused(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
        assertThat(answer.headers().firstValueAsLong("retry-after").orElseThrow()).isPositive();
    }

    private void assertWorkerIsFreeSoon() {
        await().pollInterval(ofMillis(20)).until(() -> statements.running(SLEEPS) == 0);
        await().until(pool::isIdle);
    }

    @Test
    void aRequestThatHasTakenItsTimeGets504AndItsStatementIsCancelled() throws Exception {
        get("/sleep/0", "1m"); // the first request takes longer than others

        HttpResponse<String> answer = get("/sleep/300", "1200ms");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(504);
        assertWorkerIsFreeSoon();
        assertThat(pool.cancelledAtWork()).isEqualTo(1);
        assertThat(get("/sleep/0", "1m").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1m", "99999999m"})
    void aTimeLongerThanTheRoutesChangesNothing(String timeout) throws Exception {
        HttpResponse<String> answer = get("/sleep-soon", timeout);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(504);
        assertWorkerIsFreeSoon();
    }

    @Test
    void requestWithinItsTimeoutIsAnswered() throws Exception {
        for (String timeout : List.of("30000ms", "30s", "1m", "0030s")) {
            assertThat(get("/sleep/0.01", timeout).body()).as(timeout).isEqualTo("[{\"ok\":1}]");
        }
    }

    @Test
    void invalidTimeoutGets400AndIsNotRun() throws Exception {
        for (String timeout : List.of("200", "0ms", "0s", "-5ms", "+5ms", "1.5s", "ms", "", "1h", "1d",
                "soon", "5S", "200ms, 300ms", "1s1s", "0x10ms", "\u00b2s")) {
            try (RawClient client = gateway.connect()) {
                client.send("POST /notes HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\n" + TIMEOUT + ": "
                        + timeout + "\r\n\r\n{\"text\":\"a\"}");
                RawClient.Answer answer = client.read();

                assertThat(answer.status()).as("%s: %s", timeout, answer.body()).isEqualTo(400);
                assertThat(new JsonMapper().readTree(answer.body()).path("detail").asString())
                        .containsIgnoringCase(TIMEOUT).contains("expected:", "ms");
            }
        }
        assertThat(notes()).isZero();
    }

    @Test
    void shorterOfTwoTimeoutsApplies() throws Exception {
        assertThat(gateway.send(gateway.request("/sleep/300").header(TIMEOUT, "200ms").header(TIMEOUT, "9s"))
                .statusCode()).isEqualTo(504);
        assertThat(gateway.send(gateway.request("/sleep/0").header(TIMEOUT, "9s").header(TIMEOUT, "soon"))
                .statusCode()).isEqualTo(400);
    }

    @Test
    void aTimeBeyondAllBoundsIsNotTakenForAShortOne() throws Exception {
        for (String timeout : List.of("9223372036854775807m", "9223372036854775808ms",
                "99999999999999999999s")) {
            assertThat(get("/sleep/0.1", timeout).statusCode()).as(timeout).isIn(200, 400);
        }
    }

    @Test
    void requestExpiredInTheQueueIsNeverRun() throws Exception {
        HttpRequest.Builder note = gateway.request("/notes")
                .POST(HttpRequest.BodyPublishers.ofString("{\"text\":\"late\"}"));
        try (RawClient atWork = gateway.connect()) {
            atWork.send("GET /sleep/300 HTTP/1.1\r\nHost: x\r\n\r\n");
            await().until(() -> statements.running(SLEEPS) == 1);

            HttpResponse<String> answer = gateway.send(note.header(TIMEOUT, "200ms"));

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(504);
            assertThat(statements.running(SLEEPS)).as("it did wait").isEqualTo(1);
            assertThat(pool.queued()).isZero();
        }
        assertWorkerIsFreeSoon();
        assertThat(pool.cancelled() - pool.cancelledAtWork()).as("cancelled in the queue").isEqualTo(1);
        assertThat(gateway.post("/notes", "{\"text\":\"in time\"}").body()).isEqualTo("{\"updated\":1}");
        assertThat(notes()).as("rows, the one in time").isEqualTo(1);
    }

    private int notes() {
        return statements.count("SELECT count(*) FROM notes");
    }

    @Test
    void requestThatWouldExpireInTheQueueIsRefusedAtOnce() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(gateway.get("/sleep/0.2").statusCode()).isEqualTo(200);
        }
        try (var atWork = gateway.connect(); var crowd = new Crowd(gateway.port(), 5);
                var patient = gateway.connect()) {
            atWork.send("GET /sleep/300 HTTP/1.1\r\nHost: x\r\n\r\n");
            await().until(() -> pool.busy() == 1);
            crowd.ask("GET /sleep/0 HTTP/1.1\r\nHost: x\r\n\r\n");
            await().until(() -> pool.queued() == 5);

            assertRefused(get("/sleep/0", "500ms"));
            assertThat(pool.refusedFor("too_late")).isEqualTo(1);
            patient.send("GET /sleep/0 HTTP/1.1\r\nHost: x\r\n" + TIMEOUT + ": 5m\r\n\r\n");
            await().until(() -> pool.queued() == 6);
            atWork.socket().close();
            assertThat(patient.read().status()).as("this one could wait").isEqualTo(200);
        }
    }
}
