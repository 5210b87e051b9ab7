package io.sluice.gateway.offload;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.GatewayProcess;
import io.sluice.gateway.PostgresServer;
import io.sluice.gateway.RawClient;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Rows of PostgreSQL that exceed the fetch buffer. Each time such rows are fetched, a connection is lost. */
class OversizeRowsIT {
    private static final int WORKERS = 8;
    private static final int SOCKETS = 8;
    private static final int REQUESTS = 25;
    private static final int TOO_WIDE = 3_000_000;

    private static GatewayProcess gateway;

    @BeforeAll
    static void start() throws SQLException {
        PostgresServer postgres = PostgresServer.get();
        try (Connection connection =
                     DriverManager.getConnection(postgres.url(), postgres.user(), postgres.password());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE oversize (id BIGINT, data TEXT); CREATE SEQUENCE oversize_runs");
        }
        gateway = GatewayProcess.start("""
                sluice.offload.pools.main { workers = %d, client-share = 100%%, client-grace = 60s }
                sluice.databases.main {
                  url = "%s", user = "%s", password = "%s", pool = main, connection-timeout = 30s
                }
                sluice.handler-defaults.query { database = main, parameters {} }
                sluice.route-defaults.deadline = 10m
                sluice.offload.pool-defaults.deadline = 10m
                width { handler = query, parameters { width { type = long } } }
                one = ${width} { sql = "SELECT repeat('x', CAST(:width AS INTEGER)) AS data" }
                sluice.routes {
                  same = ${one} { path = "/same/{width}" }
                  other = ${one} { path = "/other/{width}" }
                  mixed = ${width} {
                    path = "/mixed/{rows}/{width}", row-limit = 2000, parameters { rows { type = long } }
                    sql = "SELECT g AS id, repeat('x', CASE WHEN g <= 1100 THEN 50 \
                      ELSE CAST(:width AS INTEGER) END) AS data \
                      FROM generate_series(1, CAST(:rows AS INTEGER)) g"
                  }
                  insert = ${width} {
                    path = "/insert/{width}", row-limit = 10, write-on-get = true
                    sql = "INSERT INTO oversize SELECT nextval('oversize_runs'), \
                      repeat('x', CAST(:width AS INTEGER)) FROM generate_series(1, 10) RETURNING *"
                  }
                  runs { path = "/runs", handler = query, sql = "SELECT last_value FROM oversize_runs" }
                  quick { path = "/quick", handler = query, sql = "SELECT 1 AS ok" }
                }
                """.formatted(WORKERS, postgres.url(), postgres.user(), postgres.password()));
        // the status is 503 until the database is connected
        await().atMost(ofSeconds(30)).until(() -> get("/quick").status() == 200);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @Test
    void aResultOfMixedWidthArrivesWhole() throws IOException {
        readMixed();
        try (var client = new RawClient(gateway.port())) {
            for (int i = 0; i < 500; i++) {
                assertThat(client.send("GET /mixed/1/50 HTTP/1.1\r\nHost: x\r\n\r\n").read().status())
                        .isEqualTo(200);
            }
        }
        readMixed();
    }

    private static void readMixed() throws IOException {
        try (var client = new RawClient(gateway.port())) {
            client.send("GET /mixed/2000/20000 HTTP/1.1\r\nHost: x\r\n\r\n");
            var answer = new LargeResponse(new BufferedInputStream(client.socket().getInputStream()), 2000,
                    row -> row <= 1100 ? 50 : 20_000);
            assertThat(answer.readHead()).startsWith("HTTP/1.1 200");
            while (answer.readChunk()) {
                assertThat(gateway.isAlive()).isTrue();
            }
            assertThat(answer.isWhole()).as("the end of the array was there").isTrue();
        }
    }

    @Test
    void theSameRequestAgainCostsNoConnection() throws Exception {
        // from now on, rows of this route are fetched together
        assertThat(get("/same/10").status()).isEqualTo(200);
        int before = connectionsMade();

        Set<Integer> neighbour = neighbourOf("/same/", _ -> TOO_WIDE, Set.of(500, 503));

        assertThat(neighbour).containsExactly(200);
        assertThat(connectionsMade() - before).isLessThanOrEqualTo(4 * WORKERS);
    }

    @Test
    void manySuchRequestsLeaveConnectionsToOthers() throws Exception {
        int before = connectionsMade();

        Set<Integer> neighbour = neighbourOf("/other/", i -> TOO_WIDE + i, Set.of(500, 503));

        assertThat(neighbour).containsExactly(200);
        assertThat(connectionsMade() - before).isLessThan(SOCKETS * REQUESTS / 2);
    }

    @Test
    void aStatementThatWritesRunsOnce() throws IOException {
        assertThat(get("/insert/10").status()).isEqualTo(200);
        assertThat(get("/insert/500000").status()).isEqualTo(500);
        assertThat(get("/runs").body()).isEqualTo("[{\"last_value\":20}]");
    }

    /** Returns the statuses of another client while several clients request rows that are too wide. */
    private static Set<Integer> neighbourOf(String path, IntUnaryOperator width, Set<Integer> expected)
            throws Exception {
        Set<Integer> statuses = ConcurrentHashMap.newKeySet();
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> greedy = IntStream.range(0, SOCKETS).<Future<?>>mapToObj(socket ->
                    clients.submit(() -> {
                        for (int i = 0; i < REQUESTS; i++) {
                            int distinct = width.applyAsInt(socket * REQUESTS + i);
                            assertThat(expected).contains(get(path + distinct).status());
                        }
                    })).toList();
            while (!greedy.stream().allMatch(Future::isDone)) {
                statuses.add(get("/quick").status());
            }
            for (Future<?> client : greedy) {
                client.get();
            }
        }
        return statuses;
    }

    private static RawClient.Answer get(String path) {
        try (var client = new RawClient(gateway.port())) {
            return client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n").read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int connectionsMade() {
        return new PoolScrape(gateway.adminPort(), "main").connectionsMade();
    }
}
