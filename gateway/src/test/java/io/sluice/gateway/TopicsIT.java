package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.net.Transport;
import java.io.DataInputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicsIT {
    private static final String ROUTES = """
            sluice {
              server { send-buffer = 64KiB, worker-threads = 2 }
              topics { kept { last-messages = 1MiB }, plain {}, long { history { messages = 50 } } }
              tokens.alice.sha256 = "2bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90"
              routes {
                subscribe { path = "/ws/{topic}", handler = ws-topic, topics = plain, budget = 300KiB %s }
                listen { path = "/listen/{topic}", handler = ws-topic, topics = plain, publish = false }
                publish { path = "/topics/{topic}", handler = publish, topics = plain }
                long { path = "/long/{topic}", handler = ws-topic, topics = long }
                lengthen { path = "/lengthen/{topic}", handler = publish, topics = long }
                kept { path = "/kept/{topic}", handler = ws-topic, topics = kept }
                keep { path = "/keep/{topic}", handler = publish, topics = kept, tokens = [alice] }
              }
            }
            """;
    private static final int LARGE = 64 * 1024;

    private static RunningGateway start(String settings) {
        return RunningGateway.start(ROUTES.formatted(settings));
    }

    /** Opens a subscriber that reads nothing after its handshake. */
    private static RawClient stalled(RunningGateway gateway) throws Exception {
        RawClient client = gateway.connect();
        client.send("GET /ws/a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
        assertThat(client.read().status()).isEqualTo(101);
        return client;
    }

    private static double dropped(RunningGateway gateway, String reason) throws Exception {
        return gateway.getAdmin("/metrics").body().lines()
                .filter(line -> line.startsWith("sluice_websocket_dropped_total") && line.contains(reason)
                        && line.contains("/ws/{topic}"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ')))).sum();
    }

    @Test
    void everySubscriberGetsWhatIsPublishedByARequestOrASocket() throws Exception {
        try (var gateway = start("")) {
            List<SocketClient> all = new ArrayList<>();
            IntStream.range(0, 20).forEach(_ -> all.add(SocketClient.connect(gateway, "/ws/a")));
            try (var other = SocketClient.connect(gateway, "/ws/b")) {
                assertThat(gateway.post("/topics/a", "by POST").body()).isEqualTo("{\"subscribers\":20}");
                for (SocketClient each : all) {
                    assertThat(each.next()).isEqualTo("by POST");
                }
                all.getFirst().send("by a söcket");
                for (SocketClient each : all) {
                    assertThat(each.next()).isEqualTo("by a söcket");
                }
                all.getFirst().closeProperly();
                await().untilAsserted(() -> assertThat(gateway.post("/topics/a", "again").body())
                        .isEqualTo("{\"subscribers\":19}"));
                assertThat(other.isSilent()).isTrue();
            }
            all.forEach(SocketClient::close);
        }
    }

    @Test
    void everySubscriberSeesTheSameOrder() throws Exception {
        try (var gateway = start("")) {
            var listeners = List.of(SocketClient.connect(gateway, "/ws/a"),
                    SocketClient.connect(gateway, "/ws/a"), SocketClient.connect(gateway, "/ws/a"));
            IntStream.range(0, 200).parallel().forEach(i -> {
                gateway.client().sendAsync(publish(gateway, "message " + i),
                        HttpResponse.BodyHandlers.discarding()).join();
            });
            List<String> first = take(listeners.get(0), 200);
            assertThat(first).hasSize(200).doesNotHaveDuplicates();
            assertThat(take(listeners.get(1), 200)).isEqualTo(first);
            assertThat(take(listeners.get(2), 200)).isEqualTo(first);
            listeners.forEach(SocketClient::close);
        }
    }

    @Test
    void topicNamesHaveAtMost256Bytes() throws Exception {
        try (var gateway = start("")) {
            assertThat(gateway.post("/topics/" + "%C3%BC".repeat(128), "some").statusCode()).isEqualTo(200);
            var answer = gateway.post("/topics/" + "%C3%BC".repeat(129), "some");
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).contains("(expected: at most 256 bytes)");
        }
    }

    private static HttpRequest publish(RunningGateway gateway, String message) {
        return gateway.request("/topics/a").POST(HttpRequest.BodyPublishers.ofString(message)).build();
    }

    private static List<String> take(SocketClient client, int count) throws InterruptedException {
        var taken = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            taken.add(client.next());
        }
        return taken;
    }

    @Test
    void publishingRequiresPermission() throws Exception {
        try (var gateway = start(""); var listener = SocketClient.connect(gateway, "/listen/a")) {
            gateway.post("/topics/a", "for all");
            assertThat(listener.next()).isEqualTo("for all");
            listener.send("from me");
            assertThat(listener.closeCode()).isEqualTo(1008);

            assertThat(gateway.post("/keep/a", "stranger").statusCode()).isEqualTo(401);
            assertThat(gateway.send(HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + gateway.port() + "/keep/a"))
                    .header("Authorization", "Bearer alice")
                    .POST(HttpRequest.BodyPublishers.ofString("kept"))).statusCode()).isEqualTo(200);
            try (var late = SocketClient.connect(gateway, "/kept/a")) {
                assertThat(late.next()).isEqualTo("kept");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"drop-oldest, oldest", "latest-only, not_latest", "close, too_slow"})
    void slowClientHoldsOnlyItsBudgetAndDelaysNoSubscriber(String policy, String reason)
            throws Exception {
        try (var gateway = start(", over-budget = " + policy);
                var reader = SocketClient.connect(gateway, "/ws/a");
                var _ = stalled(gateway)) {
            String large = "x".repeat(LARGE);
            long before = Transport.ALLOCATOR.metric().usedDirectMemory();
            for (int i = 0; i < 200; i++) {
                gateway.post("/topics/a", i + large);
                assertThat(reader.next()).startsWith(i + "x");
            }
            assertThat(dropped(gateway, reason)).isPositive();
            assertThat(Transport.ALLOCATOR.metric().usedDirectMemory() - before)
                    .as("for the one who does not read").isLessThan(16L << 20);
            if (policy.equals("close")) {
                await().untilAsserted(() -> assertThat(
                        gateway.post("/topics/a", "how many?").body()).isEqualTo("{\"subscribers\":1}"));
            }
        }
    }

    @Test
    void slowClientLosesTheOldestMessagesAndKeepsTheOrder() throws Exception {
        try (var gateway = start(", over-budget = drop-oldest"); var client = stalled(gateway)) {
            for (int i = 0; i < 200; i++) {
                gateway.post("/topics/a", String.format("%03d", i) + "x".repeat(LARGE));
            }
            await().untilAsserted(() -> assertThat(dropped(gateway, "oldest")).isPositive());

            List<Integer> got = new ArrayList<>();
            var in = new DataInputStream(client.socket().getInputStream());
            do {
                assertThat(in.readUnsignedByte()).isEqualTo(0x81);
                assertThat(in.readUnsignedByte()).isEqualTo(127);
                byte[] message = in.readNBytes((int) in.readLong());
                got.add(Integer.valueOf(new String(message, 0, 3, StandardCharsets.US_ASCII)));
            } while (got.getLast() < 199);
            assertThat(got).isSorted().doesNotHaveDuplicates();
            assertThat(got.size() + (int) dropped(gateway, "oldest")).isEqualTo(200);
        }
    }

    @Test
    void aClientThatComesBackGetsWhatItMissed() throws Exception {
        try (var gateway = start("")) {
            String seen;
            try (var client = SocketClient.connect(gateway, "/long/a?after=")) {
                seen = client.next().replaceAll(".*\"id\":\"|\".*", "");
            }
            for (int i = 0; i < 3; i++) {
                gateway.post("/lengthen/a", "message " + i);
            }
            String epoch = seen.substring(0, seen.indexOf(':') + 1);
            try (var client = SocketClient.connect(gateway, "/long/a?after=" + seen)) {
                for (int i = 0; i < 3; i++) {
                    assertThat(client.next()).isEqualTo("{\"id\":\"%s%d\",\"data\":\"message %d\"}"
                            .formatted(epoch, i + 1, i));
                }
            }
            for (int i = 0; i < 50; i++) {
                gateway.post("/lengthen/a", "more");
            }
            try (var client = SocketClient.connect(gateway, "/long/a?after=" + seen)) {
                assertThat(client.next()).isEqualTo("{\"resync\":true,\"id\":\"" + epoch + "53\"}");
            }
        }
    }
}
