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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A gateway with little memory, and HTTP/2 clients that make it hold more than is available. */
class Http2MemoryIT {
    private static final int SETTINGS_INITIAL_WINDOW_SIZE = 4;
    private static final int MAX_FRAME = 16_384;
    private static final String CONFIG = """
            sluice {
              server { send-buffer = 16KiB, receive-buffer = 16KiB }
              routes {
                hello { path = "/", handler = text, text = hello }
                ws { path = "/ws", handler = ws-echo }
              }
            }
            """;

    @Test
    void headsWithoutAnEndAreRefused() throws Exception {
        var frames = new ArrayList<Frame>();
        frames.add(Frame.settings());
        frames.add(new Frame(Frame.HEADERS, 0, 1, new byte[MAX_FRAME]));
        for (int i = 0; i < 3; i++) {
            frames.add(new Frame(Frame.CONTINUATION, 0, 1, new byte[MAX_FRAME]));
        }
        assertIsAliveAmong(2500, frames);
    }

    /** Their clients do not read what ws-echo sends back, so that it does not take what follows. */
    @Test
    void inputOfWebSocketsThatIsHeldIsRefused() throws Exception {
        var frames = new ArrayList<Frame>();
        frames.add(Frame.settings(SETTINGS_INITIAL_WINDOW_SIZE, 0));
        for (int stream = 1; stream < 200; stream += 2) {
            frames.add(FrameClient.headers(stream, false, ":method", "CONNECT", ":protocol", "websocket",
                    ":scheme", "http", ":path", "/ws", ":authority", "a", "sec-websocket-version", "13"));
            for (int i = 0; i < 4; i++) {
                frames.add(new Frame(Frame.DATA, 0, stream, message()));
            }
        }
        assertIsAliveAmong(40, frames);
    }

    /** Returns a binary message that is masked by zeros. */
    private static byte[] message() {
        int length = 16_000;
        return ByteBuffer.allocate(8 + length).put((byte) 0x82).put((byte) 0xFE).putShort((short) length)
                .array();
    }

    private static void assertIsAliveAmong(int clients, List<Frame> frames) throws Exception {
        var all = new ByteArrayOutputStream();
        all.writeBytes(FrameClient.PREFACE.getBytes(StandardCharsets.US_ASCII));
        frames.forEach(frame -> all.writeBytes(frame.bytes()));
        try (var gateway = GatewayProcess.start(CONFIG, "-Xmx128m", "-XX:MaxDirectMemorySize=32m",
                "-XX:+ExitOnOutOfMemoryError")) {
            try (var stubborn = new StubbornClients(gateway.port(), clients, all.toByteArray())) {
                for (int i = 0; i < 5; i++) {
                    stubborn.sendMore();
                }
                assertThat(gateway.isAlive()).isTrue();
            }
            await().until(() -> status(gateway) == 200);
            assertThat(gateway.output()).contains("memory is short")
                    .doesNotContain("OutOfMemory", "OutOfDirectMemory", "Cannot reserve", "a stream failed");
        }
    }

    private static int status(GatewayProcess gateway) throws IOException {
        try (var client = new RawClient(gateway.port())) {
            return client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").read().status();
        }
    }
}
