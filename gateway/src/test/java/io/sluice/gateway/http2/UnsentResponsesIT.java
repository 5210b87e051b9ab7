package io.sluice.gateway.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.GatewayProcess;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.limits.StubbornClients;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client with more responses than there is direct memory, which opens no window; and its neighbour. */
class UnsentResponsesIT {
    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final int CONNECTIONS = 15;
    private static final int STREAMS = 100;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {60_000, 300_000}) // in one response, and in pieces
    void ofOneClientLeaveMemoryToOthers(int length) throws Exception {
        Files.write(folder.resolve("file"), new byte[length]);
        try (var gateway = GatewayProcess.start("""
                sluice {
                  offload.pools.files { workers = 4 }
                  routes.files { path = "/**", handler = files, pool = files, directory = "%s" }
                }
                """.formatted(folder), "-Xmx64m", "-XX:MaxDirectMemorySize=64m",
                "-XX:+ExitOnOutOfMemoryError");
                var _ = new StubbornClients(gateway.port(), CONNECTIONS, requests())) {
            // While the client stays.
            await().during(Duration.ofSeconds(2)).atMost(Duration.ofSeconds(20))
                    .until(() -> received(gateway.port()) == length);
            assertThat(gateway.output()).doesNotContain("memory is short");
        }
    }

    private static byte[] requests() {
        var requests = new ByteArrayOutputStream();
        requests.writeBytes(FrameClient.PREFACE.getBytes(StandardCharsets.US_ASCII));
        requests.writeBytes(Frame.settings(INITIAL_WINDOW_SIZE, 0).bytes());
        for (int n = 0; n < STREAMS; n++) {
            requests.writeBytes(FrameClient.get(2 * n + 1, "/file").bytes());
        }
        return requests.toByteArray();
    }

    private static int received(int port) throws IOException {
        try (RawClient neighbour = new RawClient(new Socket(InetAddress.getLoopbackAddress(), port,
                InetAddress.ofLiteral("127.0.0.2"), 0))) {
            return neighbour.send("GET /file HTTP/1.1\r\nHost: a\r\n\r\n").read().content().length;
        }
    }
}
