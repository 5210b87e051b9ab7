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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
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
        try (var gateway = start(length);
                var _ = new StubbornClients(gateway.port(), CONNECTIONS, requests())) {
            // While the client stays.
            await().during(Duration.ofSeconds(2)).atMost(Duration.ofSeconds(20))
                    .until(() -> received(gateway.port()) == length);
            assertThat(gateway.output()).doesNotContain("memory is short");
        }
    }

    /** Some have to wait for their share, until their client reads the others. */
    @Test
    void arriveWhenTheClientReads() throws Exception {
        int length = 300_000;
        var answers = new ArrayList<Integer>();
        try (var gateway = start(length); var first = connect(gateway); var second = connect(gateway)) {
            for (FrameClient client : List.of(first, second)) {
                client.send(streams().map(stream -> FrameClient.get(stream, "/file")).toArray(Frame[]::new));
            }
            second.await(Frame.HEADERS, 1);
            for (FrameClient client : List.of(first, second)) {
                client.send(Frame.windowUpdate(0, STREAMS * length));
                client.send(streams().map(stream -> Frame.windowUpdate(stream, length))
                        .toArray(Frame[]::new));
            }
            assertThat(second.body(1)).hasSizeBetween(1, length);
            for (FrameClient client : List.of(first, second)) {
                for (int stream : streams().skip(client == first ? 0 : 1).toList()) {
                    FrameClient.Answer answer = client.answer(stream);
                    answers.add(answer.status());
                    assertThat(answer.content().length).isEqualTo(
                            answer.status() == 200 ? length : Integer.parseInt(
                                    answer.headers().get("content-length")));
                }
            }
        }
        assertThat(answers).hasSize(2 * STREAMS - 1).isSubsetOf(200, 503);
        assertThat(Collections.frequency(answers, 200)).isGreaterThan(STREAMS);
    }

    private GatewayProcess start(int length) throws IOException {
        Files.write(folder.resolve("file"), new byte[length]);
        return GatewayProcess.start("""
                sluice {
                  offload.pools.files { workers = 4 }
                  routes.files { path = "/**", handler = files, pool = files, directory = "%s" }
                }
                """.formatted(folder), "-Xmx64m", "-XX:MaxDirectMemorySize=64m",
                "-XX:+ExitOnOutOfMemoryError");
    }

    private static FrameClient connect(GatewayProcess gateway) throws IOException {
        return FrameClient.greet(new RawClient(gateway.port()), INITIAL_WINDOW_SIZE, 0);
    }

    private static Stream<Integer> streams() {
        return IntStream.range(0, STREAMS).mapToObj(n -> 2 * n + 1);
    }

    private static byte[] requests() {
        var requests = new ByteArrayOutputStream();
        requests.writeBytes(FrameClient.PREFACE.getBytes(StandardCharsets.US_ASCII));
        requests.writeBytes(Frame.settings(INITIAL_WINDOW_SIZE, 0).bytes());
        streams().forEach(stream -> requests.writeBytes(FrameClient.get(stream, "/file").bytes()));
        return requests.toByteArray();
    }

    private static int received(int port) throws IOException {
        try (RawClient neighbour = new RawClient(new Socket(InetAddress.getLoopbackAddress(), port,
                InetAddress.ofLiteral("127.0.0.2"), 0))) {
            return neighbour.send("GET /file HTTP/1.1\r\nHost: a\r\n\r\n").read().content().length;
        }
    }
}
