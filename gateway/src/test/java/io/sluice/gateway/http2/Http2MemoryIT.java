package io.sluice.gateway.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.GatewayProcess;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.limits.StubbornClients;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A gateway with little memory, and HTTP/2 clients that make it hold more than is available. */
class Http2MemoryIT {
    private static final int SETTINGS_INITIAL_WINDOW_SIZE = 4;
    private static final int MAX_FRAME = 16_384;

    /** Null until {@link #start()}. */
    private GatewayProcess gateway;

    private void start() {
        gateway = GatewayProcess.start("""
                sluice {
                  server { send-buffer = 16KiB, receive-buffer = 16KiB }
                  routes {
                    hello { path = "/", handler = text, text = hello }
                    ws { path = "/ws", handler = ws-echo }
                  }
                }
                """, "-Xmx96m", "-XX:MaxDirectMemorySize=32m", "-XX:+ExitOnOutOfMemoryError");
    }

    @AfterEach
    void stop() {
        if (gateway != null) {
            gateway.close();
        }
    }

    /** Waits until all that clients have sent is too much; they must stay connected so long. */
    private void awaitShortage() {
        await().atMost(Duration.ofMinutes(1)).until(() -> gateway.output().contains("memory is short"));
        assertThat(gateway.isAlive()).isTrue();
    }

    private void assertServes() {
        await().until(() -> status() == 200);
        assertThat(gateway.output())
                .doesNotContain("OutOfMemory", "OutOfDirectMemory", "Cannot reserve", "a stream failed");
    }

    private int status() throws IOException {
        try (var client = new RawClient(gateway.port())) {
            return client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").read().status();
        }
    }

    /**
     * 30,000 streams of 2.5 KB each whose bodies do not come, and 6,000 of 12 KB whose responses cannot be
     * sent.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void streamsThatAreLargerThanTheHeapTogetherAreRefused(boolean answered) throws Exception {
        var begun = new ByteArrayOutputStream();
        begun.writeBytes(FrameClient.PREFACE.getBytes(StandardCharsets.US_ASCII));
        begun.writeBytes(Frame.settings(SETTINGS_INITIAL_WINDOW_SIZE, 0).bytes());
        for (int stream = 1; stream < (answered ? 24 : 120); stream += 2) {
            begun.writeBytes((answered ? FrameClient.get(stream, "/", "x", "x".repeat(9 * 1024))
                    : FrameClient.post(stream, "/")).bytes());
        }
        try (var small = GatewayProcess.start(
                "sluice.routes.echo { path = \"/\", methods = [GET, POST], handler = echo }",
                "-Xmx64m", "-XX:MaxDirectMemorySize=64m", "-XX:+ExitOnOutOfMemoryError");
                var _ = new StubbornClients(small.port(), 500, begun.toByteArray());
                var neighbour = new RawClient(small.port())) {
            assertThat(neighbour.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").read().status()).isEqualTo(200);
        }
    }

    @Test
    void headsWithoutAnEndAreRefused() throws Exception {
        start();
        var begun = new ByteArrayOutputStream();
        begun.writeBytes(FrameClient.PREFACE.getBytes(StandardCharsets.US_ASCII));
        begun.writeBytes(Frame.settings().bytes());
        begun.writeBytes(new Frame(Frame.HEADERS, 0, 1, new byte[MAX_FRAME]).bytes());
        for (int i = 0; i < 3; i++) {
            begun.writeBytes(new Frame(Frame.CONTINUATION, 0, 1, new byte[MAX_FRAME]).bytes());
        }
        try (var _ = new StubbornClients(gateway.port(), 2000, begun.toByteArray())) {
            awaitShortage();
        }
        assertServes();
    }

    /** Their clients do not read what ws-echo sends back, so that it does not take what follows. */
    @Test
    void inputOfWebSocketsThatIsHeldIsRefused() throws Exception {
        start();
        var clients = new ArrayList<FrameClient>();
        try {
            for (int i = 0; i < 30; i++) {
                clients.add(openSockets());
            }
            for (FrameClient client : clients) {
                fillWindows(client);
            }
            awaitShortage();
        } finally {
            for (FrameClient client : clients) {
                client.close();
            }
        }
        assertServes();
    }

    private FrameClient openSockets() throws IOException {
        var socket = new RawClient(gateway.port());
        FrameClient client = FrameClient.greet(socket, SETTINGS_INITIAL_WINDOW_SIZE, 0);
        for (int stream = 1; stream < 200; stream += 2) {
            client.send(FrameClient.headers(stream, false, ":method", "CONNECT", ":protocol", "websocket",
                    ":scheme", "http", ":path", "/ws", ":authority", "a", "sec-websocket-version", "13"));
        }
        for (int stream = 1; stream < 200; stream += 2) {
            assertThat(client.headers(client.await(Frame.HEADERS, stream))).containsEntry(":status", "200");
        }
        return client;
    }

    private static void fillWindows(FrameClient client) {
        for (int stream = 1; stream < 200; stream += 2) {
            try {
                for (int i = 0; i < 4; i++) {
                    client.send(new Frame(Frame.DATA, 0, stream, message()));
                }
            } catch (IOException _) {
                return; // The gateway has closed the connection.
            }
        }
    }

    /** Returns a binary message that is masked by zeros. */
    private static byte[] message() {
        int length = 16_000;
        return ByteBuffer.allocate(8 + length).put((byte) 0x82).put((byte) 0xFE).putShort((short) length)
                .array();
    }
}
