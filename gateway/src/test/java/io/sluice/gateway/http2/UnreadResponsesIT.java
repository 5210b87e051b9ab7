package io.sluice.gateway.http2;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.PostgresServer;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Query results that clients do not read: they occupy workers and database connections only briefly. */
class UnreadResponsesIT {
    private static final int ROWS = 1_000;
    private static final int WIDTH = 2_000;
    private static final int STREAMS = 100;
    private static final String EXPECTED = expected();

    private RunningGateway gateway;

    private static String expected() {
        var rows = new ArrayList<String>();
        for (int i = 1; i <= ROWS; i++) {
            rows.add("{\"id\":" + i + ",\"data\":\"" + "x".repeat(WIDTH) + "\"}");
        }
        return "[" + String.join(",", rows) + "]";
    }

    private void start(String more) {
        PostgresServer postgres = PostgresServer.get();
        gateway = RunningGateway.start("""
                sluice.offload.pools.main { deadline = 60s }
                sluice.databases.main { url = "%s", user = "%s", password = "%s", pool = main,
                  connection-timeout = 20s }
                sluice.handler-defaults.query { database = main }
                sluice.route-defaults.deadline = 60s
                sluice.routes {
                  large {
                    path = "/large", handler = query
                    sql = "SELECT g AS id, repeat('x', %d) AS data FROM generate_series(1, %d) g"
                  }
                  quick {
                    path = "/quick", handler = query, single = true, deadline = 10s
                    sql = "SELECT 1 AS n"
                  }
                }
                %s
                """.formatted(postgres.url(), postgres.user(), postgres.password(), WIDTH, ROWS, more));
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    /** Waits until no worker of the pool is busy. */
    private void awaitFreeWorkers() {
        await().atMost(ofSeconds(30)).until(() -> gateway.getAdmin("/metrics").body()
                .contains("sluice_offload_busy{pool=\"main\"} 0.0"));
    }

    private double meter(String name) throws Exception {
        return gateway.getAdmin("/metrics").body().lines().filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1))).findFirst()
                .orElseThrow();
    }

    @Test
    @EnabledOnOs(OS.LINUX) // only Linux has more loopback addresses than 127.0.0.1
    void streamsWithoutAWindowLeaveTheWorkersFreeAndGetAllOfTheirAnswersLater() throws Exception {
        start("");
        int neighbours = 0;
        try (var client = FrameClient.greet(new RawClient(gateway.port()), 4, 0)) {
            for (int i = 0; i < STREAMS; i++) {
                client.send(FrameClient.get(2 * i + 1, "/large"));
            }
            do {
                assertThat(askAsNeighbour()).as("while workers wait").isEqualTo("{\"n\":1}");
                neighbours++;
            } while (meter("sluice_spill_begun_total") < STREAMS);
            assertThat(neighbours).isGreaterThan(1);
            awaitFreeWorkers();
            assertThat(meter("sluice_spill_used_bytes")).isGreaterThan(STREAMS * 1e6);

            for (int stream = 1; stream <= 2 * STREAMS; stream += 66) {
                assertThat(new String(read(client, stream), StandardCharsets.UTF_8)).isEqualTo(EXPECTED);
            }
        }
        await().atMost(ofSeconds(30)).until(() -> meter("sluice_spill_used_bytes") == 0);
        assertThat(meter("sluice_spill_refused_total")).isZero();
        // Spilled blocks are read by a pool of their own, so the run times of queries do not include it.
        assertThat(meter("sluice_offload_run_time_seconds_count{pool=\"main\"}"))
                .isEqualTo(STREAMS + neighbours);
        assertThat(meter("sluice_offload_run_time_seconds_count{pool=\"spill\"}")).isGreaterThanOrEqualTo(4);
    }

    /** Asks from another address, since a client waits behind its own requests. */
    private String askAsNeighbour() throws IOException {
        try (var socket = new Socket("127.0.0.1", gateway.port(), InetAddress.getByName("127.0.0.2"), 0);
                var neighbour = new RawClient(socket)) {
            return neighbour.send("GET /quick HTTP/1.1\r\nHost: x\r\n\r\n").read().body();
        }
    }

    /** Opens the windows for one answer, and reads it. */
    private static byte[] read(FrameClient client, int stream) throws IOException {
        client.send(Frame.windowUpdate(0, EXPECTED.length()), Frame.windowUpdate(stream, EXPECTED.length()));
        var body = new ByteArrayOutputStream();
        for (Frame frame = client.await(Frame.DATA, stream); ; frame = client.read()) {
            if (frame.stream() == stream && frame.is(Frame.DATA)) {
                body.write(frame.payload());
            }
            if (frame.stream() == stream && frame.has(Frame.END_STREAM)) { // a DATA frame, or a trailer
                return body.toByteArray();
            }
        }
    }

    @Test
    void socketsThatDoNotReadLeaveTheWorkersFreeAndGetAllOfTheirAnswersLater() throws Exception {
        start("sluice.server.send-buffer = 64KiB");
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                clients.add(new RawClient(gateway.port(), 32 * 1024)
                        .send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n"));
            }
            await().atMost(ofSeconds(30)).until(() -> meter("sluice_spill_begun_total") == clients.size());
            awaitFreeWorkers();
            for (RawClient client : clients) {
                assertThat(client.read().body()).isEqualTo(EXPECTED);
            }
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    @Test
    void whereNoSpaceIsLeftTheAnswerIsCutOffAndCounted() throws Exception {
        start("sluice.offload.spill.limit = 4MiB");
        try (var client = FrameClient.greet(new RawClient(gateway.port()), 4, 0)) {
            for (int i = 0; i < 10; i++) {
                client.send(FrameClient.get(2 * i + 1, "/large"));
            }
            await().atMost(ofSeconds(30)).until(() -> meter("sluice_spill_begun_total") == 10);
            awaitFreeWorkers();
            assertThat(meter("sluice_spill_refused_total")).isGreaterThanOrEqualTo(9);
            assertThat(meter("sluice_spill_used_bytes")).isLessThanOrEqualTo(2 << 20);
        }
        await().atMost(ofSeconds(30)).until(() -> meter("sluice_spill_used_bytes") == 0);
        assertThat(gateway.getAdmin("/metrics").body())
                .containsPattern("http_server_requests_seconds_count\\{.*status=\"408\".*} (9|10)");
    }
}
