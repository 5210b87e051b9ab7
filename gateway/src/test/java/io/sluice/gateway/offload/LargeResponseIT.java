package io.sluice.gateway.offload;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.GatewayProcess;
import io.sluice.gateway.PostgresServer;
import io.sluice.gateway.RawClient;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Results of 200 MB from a gateway with less than half that memory. Its workers wait for the clients. */
class LargeResponseIT {
    private static final int ROWS = 100_000;
    private static final int WIDTH = 2000;
    private static final int WORKERS = 4;
    private static final int MIB = 1 << 20;
    /** The beginning of the statement that a worker runs. */
    private static final String LARGE = "SELECT /*large*/";

    private static Statements statements;
    private static GatewayProcess gateway;
    private static PoolScrape pool;

    @BeforeAll
    static void start() throws SQLException {
        PostgresServer postgres = PostgresServer.get();
        statements = new Statements(postgres.url(), postgres.user(), postgres.password());
        gateway = GatewayProcess.start("""
                sluice.offload.pools.main { workers = %d, deadline = 120s, %s
                  client-share = 100%%, client-grace = 120s }
                sluice.databases.main { url = "%s", user = "%s", password = "%s", pool = main,
                  connection-timeout = 20s }
                sluice.handler-defaults.query { database = main, row-limit = %d }
                large {
                  handler = query
                  sql = "SELECT /*large*/ g AS id, repeat('x', 2000) AS data FROM generate_series(1, %6$d) g"
                }
                sluice.routes {
                  large = ${large} { path = "/large", deadline = 120s }
                  large-soon = ${large} { path = "/large-soon", deadline = 8s }
                  quick { path = "/quick", handler = query, sql = "SELECT 1 AS ok" }
                }
                """.formatted(WORKERS, PoolKind.VIRTUAL.setting(), postgres.url(), postgres.user(),
                        postgres.password(), ROWS),
                "-Xmx64m", "-XX:MaxDirectMemorySize=32m", "-Dio.netty.maxDirectMemory=" + 32 * MIB,
                "-XX:+ExitOnOutOfMemoryError");
        pool = new PoolScrape(gateway.adminPort(), "main");
        await().until(() -> pool.connections() == WORKERS && quick().status() == 200);
    }

    private static RawClient.Answer quick() throws IOException {
        try (var client = new RawClient(gateway.port())) {
            return client.send("GET /quick HTTP/1.1\r\nHost: x\r\n\r\n").read();
        }
    }

    @AfterAll
    static void stop() throws SQLException {
        gateway.close();
        statements.close();
    }

    @BeforeEach
    void awaitIdle() {
        await().until(pool::isIdle);
    }

    @Test
    void aSlowReaderGetsAllOfItThroughLittleMemory() throws Exception {
        try (var client = new RawClient(gateway.port())) {
            client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
            awaitStalled(1);
            var in = new BufferedInputStream(client.socket().getInputStream());
            var answer = new LargeResponse(in, ROWS, WIDTH);
            assertThat(answer.readHead()).startsWith("HTTP/1.1 200 OK\n").contains("row-limit: " + ROWS)
                    .contains("transfer-encoding: chunked");
            while (answer.bytes() < 5 * MIB) {
                answer.readChunk();
                LockSupport.parkNanos(2_000_000); // the client reads slowly
            }
            while (answer.readChunk()) {
                assertThat(gateway.isAlive()).isTrue();
            }

            assertThat(answer.isWhole()).as("the end of the array was there").isTrue();
            assertThat(answer.bytes()).isGreaterThan(200_000_000L);
            assertThat(client.send("GET /quick HTTP/1.1\r\nHost: x\r\n\r\n").read().body())
                    .isEqualTo("[{\"ok\":1}]");
        }
        assertUnharmed();
    }

    @Test
    void readersThatStallForEverAreCutOffAtTheDeadline() throws Exception {
        try (var crowd = new Crowd(gateway.port(), WORKERS - 1); var client = new RawClient(gateway.port())) {
            double ran = pool.ran();
            crowd.ask("GET /large-soon HTTP/1.1\r\nHost: x\r\n\r\n");
            client.send("GET /large-soon HTTP/1.1\r\nHost: x\r\n\r\n");
            await().until(() -> pool.ran() >= ran + WORKERS && pool.isIdle()
                    && statements.running(LARGE) == 0);

            var in = new BufferedInputStream(client.socket().getInputStream());
            var answer = new LargeResponse(in, ROWS, WIDTH);
            assertThatThrownBy(() -> readAll(answer)).isInstanceOf(IOException.class);
            assertThat(answer.isWhole()).isFalse();
        }
        assertUnharmed();
    }

    private static void readAll(LargeResponse answer) throws IOException {
        answer.readHead();
        while (answer.readChunk()) {
            assertThat(answer.isWhole()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(HangUp.class)
    void readersThatGoAwayInTheMiddleSetTheirWorkersFree(HangUp how) throws Exception {
        try (var crowd = new Crowd(gateway.port(), WORKERS)) {
            crowd.ask("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
            awaitStalled(WORKERS);

            crowd.hangUp(how);

            await().pollInterval(ofMillis(20)).untilAsserted(() ->
                    assertThat(statements.running(LARGE)).as(LargeResponseIT::state).isZero());
            await().untilAsserted(() -> assertThat(pool.isIdle()).as(LargeResponseIT::state).isTrue());
        }
        assertUnharmed();
    }

    /** Waits until so many statements have waited for their clients for a second. */
    private static void awaitStalled(int count) {
        await().during(ofSeconds(1)).pollInterval(ofMillis(20)).untilAsserted(() ->
                assertThat(statements.stalled(LARGE)).as(LargeResponseIT::state).isEqualTo(count));
    }

    private static String state() {
        return "%s of the pool's workers are busy, %s tasks were refused; the gateway says:%n%s"
                .formatted(pool.busy(), pool.refused(), gateway.output());
    }

    private static void assertUnharmed() throws IOException {
        for (int i = 0; i < 2 * WORKERS; i++) {
            assertThat(quick().body()).isEqualTo("[{\"ok\":1}]");
        }
        assertThat(gateway.isAlive()).isTrue();
        assertThat(gateway.output()).doesNotContain("OutOfMemory", "LEAK", "\"level\":\"error\"");
    }
}
