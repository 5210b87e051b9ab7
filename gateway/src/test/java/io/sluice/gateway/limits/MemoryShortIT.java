package io.sluice.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.GatewayProcess;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.RawClient.Answer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A gateway with little direct memory, and clients that make it hold more than is available. */
class MemoryShortIT {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    static final String HANDSHAKE = "GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n"
            + "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            + "Sec-WebSocket-Version: 13\r\n\r\n";
    private static final String CONFIG = """
            sluice {
              server { send-buffer = 16KiB, receive-buffer = 16KiB }
              topics { news {}, kept { history {} } }
              offload.pools.one { workers = 1, queue-limit = 10, deadline = 10s }
              databases.h2 { url = "jdbc:h2:mem:", pool = one, user = sluice }
              routes {
                hello { path = "/", handler = text, text = hello, cors.origins = ["*"] }
                large { path = "/large", handler = json, timestamp = t, body { text = "%s" } }
                wait { path = "/wait", methods = [POST], handler = delay, max-body = 8MiB, deadline = 3s }
                collect { path = "/news/{topic}", handler = publish, topics = news, max-body = 2MiB }
                events { path = "/events/{topic}", handler = events, topics = news }
                keep { path = "/kept/{topic}", handler = publish, topics = kept }
                echo { path = "/echo", handler = echo, max-body = 64MiB }
                rows { path = /rows, methods = [POST], handler = query, database = h2
                  bulk {}, max-body = 8MiB, parameters.id { type = long, from = body }
                  sql = "DELETE FROM rows WHERE id = :id" }
                ws { path = "/ws", handler = ws-echo }
                rpc { path = "/rpc", handler = ws-rpc }
              }
            }
            """.formatted("x".repeat(600_000));

    private static GatewayProcess gateway;

    @BeforeAll
    static void start() {
        gateway = GatewayProcess.start(CONFIG, "-Xmx160m", "-XX:MaxDirectMemorySize=32m",
                "-XX:+ExitOnOutOfMemoryError");
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static byte[] request(String kind) {
        String text = switch (kind) {
            case "bodies that nobody reads" -> post("/wait?ms=2000", 4 << 20);
            case "bodies that are collected" -> post("/news/a", 1_900_000);
            case "bodies that are sent back" -> post("/echo", 32 << 20);
            case "uploads of rows" -> post("/rows", 4 << 20);
            case "heads without an end" -> "GET / HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(14_000);
            case "messages without an end" -> HANDSHAKE;
            case "messages whose responses are not read" -> HANDSHAKE.replace("/ws", "/rpc");
            default -> throw new AssertionError(kind);
        };
        return bytes(text);
    }

    private static String post(String target, int length) {
        return "POST " + target + " HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n";
    }

    private static byte[] body(String kind, int length) {
        if (!kind.startsWith("messages")) {
            return new byte[length];
        }
        if (kind.endsWith("not read")) {
            return frame("{\"path\":\"/large\"%s}".formatted(" ".repeat(200)));
        }
        byte[] fragment = new byte[length]; // the beginning of one
        ByteBuffer.wrap(fragment).put((byte) 2).put((byte) 0xFF).putLong(1_000_000);
        return fragment;
    }

    @ParameterizedTest
    @CsvSource({
        "bodies that nobody reads, 600, 2000000",
        "bodies that are collected, 150, 1800000",
        "bodies that are sent back, 250, 2000000",
        "uploads of rows, 3500, 60000",
        "heads without an end, 2500, 0",
        "messages without an end, 1000, 500",
        "messages whose responses are not read, 300, 0"})
    void memoryShortageRefusesWithoutError(String kind, int clients, int length) throws Exception {
        try (var _ = new StubbornClients(gateway.port(), clients, request(kind), body(kind, length))) {
            assertIsAlive();
            if (kind.startsWith("messages")) {
                await().until(() -> hello().status() == 200); // while the clients stay
            }
        }
        await().until(() -> hello().status() == 200);
        assertThat(gateway.isAlive()).isTrue();
        await().untilAsserted(() -> assertThat(gateway.output()).contains("memory is short"));
        assertThat(gateway.output()).doesNotContain("OutOfMemory", "OutOfDirectMemory", "Cannot reserve");
    }

    @Test
    void readersThatAreSlowLeaveMemoryToOthers() throws Exception {
        try (var _ = new StubbornClients(gateway.port(), 150, bytes(GET.replace("/ ", "/large ")))) {
            await().during(Duration.ofSeconds(1)).until(() -> statusOfOther() == 200); // while they stay
        }
    }

    private static int statusOfOther() throws IOException {
        try (var other = new RawClient(new Socket(InetAddress.getLoopbackAddress(), gateway.port(),
                InetAddress.ofLiteral("127.0.0.2"), 0))) {
            return other.send(GET).read().status();
        }
    }

    /** By the defaults, for which the memory is small. */
    @Test
    void keptMessagesDoNotMakeMemoryShort() throws Exception {
        byte[] message = (post("/kept/a", 60_000) + "x".repeat(60_000)).getBytes(StandardCharsets.US_ASCII);
        try (var other = GatewayProcess.start(CONFIG, "-Xmx64m", "-XX:MaxDirectMemorySize=32m");
                var publisher = new RawClient(other.port())) {
            for (int i = 0; i < 700; i++) {
                assertThat(publisher.send(message).read().status()).isEqualTo(200);
            }
            assertThat(other.output()).doesNotContain("memory is short");
        }
    }

    @Test
    void messagesForASlowReaderDoNotMakeMemoryShort() throws Exception {
        try (var other = GatewayProcess.start(CONFIG, "-Xmx160m", "-XX:MaxDirectMemorySize=32m");
                var slow = new RawClient(other.port()); var publisher = new RawClient(other.port())) {
            slow.send(HANDSHAKE.replace("/ws", "/rpc"));
            for (int i = 0; i < 40; i++) {
                slow.send(frame("{\"id\":%d,\"subscribe\":\"/events/topic%1$d\"%s}"
                        .formatted(i, " ".repeat(200))));
            }
            await().until(() -> publisher.send(post("/news/topic39", 1) + "x").read().body()
                    .contains("\"subscribers\":1"));
            for (int i = 0; i < 40; i++) {
                String message = post("/news/topic" + i, 1_000_000) + "x".repeat(1_000_000);
                assertThat(publisher.send(message).read().body()).contains("\"subscribers\":1");
            }
            assertThat(hello(other).status()).isEqualTo(200);
            assertThat(other.output()).doesNotContain("memory is short");
        }
    }

    /** Their inflaters occupy native memory outside of the pool, which counts like that of the pool. */
    @Test
    void inflatersOfUnfinishedMessagesLeaveMemoryToOthers() throws Exception {
        byte[] begun = HexFormat.of().parseHex("428700000000f248cdc9c90700"); // without FIN, masked by zeros
        String compressed = HANDSHAKE.replace("\r\n\r\n",
                "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n");
        try (var other = GatewayProcess.start(CONFIG, "-Xmx160m", "-XX:MaxDirectMemorySize=32m");
                var _ = new StubbornClients(other.port(), 1500,
                        bytes(compressed), begun)) {
            await().during(Duration.ofSeconds(1)).until(() -> hello(other).status() == 200); // meanwhile
            assertThat(other.output()).doesNotContain("memory is short");
        }
    }

    /** No client holds direct memory. Subscriptions have a part of the heap; the sockets fill the rest. */
    @Test
    void socketsThatFillTheHeapAreRefused() throws Exception {
        var frames = new ByteArrayOutputStream();
        for (int i = 0; i < 100; i++) {
            frames.write(frame("{\"id\":%d,\"subscribe\":\"/events/%s%03d\"}"
                    .formatted(i, "t".repeat(250), i)));
        }
        // On a busy machine it takes long until the clients have sent all, and they never read.
        String patient = CONFIG + """
                sluice.server.timeouts { first-head = 10m, stall = 10m }
                sluice.socket-defaults.idle-timeout = 10m
                """;
        try (var other = GatewayProcess.start(patient, "-Xmx40m", "-XX:MaxDirectMemorySize=64m",
                "-XX:+ExitOnOutOfMemoryError")) {
            try (var clients = new StubbornClients(other.port(), 2400,
                    bytes(HANDSHAKE.replace("/ws", "/rpc")), frames.toByteArray())) {
                await().atMost(Duration.ofMinutes(2)).until(() -> {
                    clients.sendMore(); // a gateway that is slow has not taken all at first
                    return other.output().contains("of the heap are in use");
                });
            }
            await().until(() -> hello(other).status() == 200);
            assertThat(other.isAlive()).isTrue();
        }
    }

    /** Returns a text message. */
    static byte[] frame(String text) {
        byte[] payload = bytes(text);
        ByteBuffer frame = ByteBuffer.allocate(8 + payload.length);
        return frame.put((byte) 0x81).put((byte) 0xFE).putShort((short) payload.length).putInt(0).put(payload)
                .array();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void assertIsAlive() throws IOException {
        try (var operator = new RawClient(gateway.adminPort())) {
            assertThat(operator.send(GET.replace("/ ", "/livez ")).read().status()).isEqualTo(200);
        }
        Answer answer = hello();
        if (answer.status() != 200) {
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("Retry-After")).isEqualTo("1");
            assertThat(answer.header("Connection")).isEqualTo("close");
            assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo("*");
        }
    }

    private static Answer hello() throws IOException {
        return hello(gateway);
    }

    private static Answer hello(GatewayProcess of) throws IOException {
        try (var client = new RawClient(of.port())) {
            return client.send(GET).read();
        }
    }
}
