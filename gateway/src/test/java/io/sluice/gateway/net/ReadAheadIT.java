package io.sluice.gateway.net;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.handlers.Exchange;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Read-ahead: bytes that a client sends while it waits for an answer. */
class ReadAheadIT {
    private static final String WAIT = "GET /wait HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String HELLO = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private final Queue<String> aborted = new ConcurrentLinkedQueue<>();
    private final Queue<Exchange> waiting = new ConcurrentLinkedQueue<>();
    private HandlerServer server;

    @BeforeEach
    void start() {
        server = HandlerServer.start(
                route("/", exchange -> answer(exchange, "hello")),
                route("/wait", exchange -> {
                    exchange.onAbort(() -> aborted.add("aborted"));
                    waiting.add(exchange);
                }));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /**
     * The bytes are an incomplete request, one complete request and more, or about the limit of the
     * read-ahead.
     */
    @ParameterizedTest
    @ValueSource(ints = {30, 45, 30_000, 60_000})
    void disconnectIsDetectedBehindPipelinedBytes(int bytes) throws IOException {
        try (RawClient client = server.connect()) {
            client.send(WAIT);
            await().until(() -> waiting.size() == 1);
            client.send(HELLO.repeat(bytes / HELLO.length() + 1).substring(0, bytes));
        }

        await().until(() -> aborted.size() == 1);
        await().until(() -> server.connections().count() == 0);
    }

    @Test
    void disconnectIsDetectedBehindOneLargeWrite() throws IOException {
        try (RawClient client = server.connect()) {
            client.send(WAIT + HELLO.repeat(1_000));
            await().until(() -> waiting.size() == 1);
        }

        await().until(() -> aborted.size() == 1);
    }

    @Test
    void disconnectIsDetectedBehindManySmallWrites() throws Exception {
        try (RawClient client = server.connect()) {
            client.send(WAIT);
            await().until(() -> waiting.size() == 1);
            for (int i = 0; i < 300; i++) {
                client.send(HELLO);
                server.settle(); // so that the server reads each request by itself
            }
        }

        await().until(() -> aborted.size() == 1);
    }

    @Test
    void disconnectIsDetectedBehindAnUnreadBody() throws IOException {
        try (RawClient client = server.connect()) {
            client.send("POST /wait HTTP/1.1\r\nHost: a\r\nContent-Length: 50000\r\n\r\n"
                    + "a".repeat(50_000));
            await().until(() -> waiting.size() == 1);
        }

        await().until(() -> aborted.size() == 1);
    }

    @Test
    void largeReadAheadIsServedInOrder() throws Exception {
        int count = 10_000;
        try (RawClient client = server.connect()) {
            client.send(WAIT);
            await().until(() -> waiting.size() == 1);
            var sending = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < count; i++) {
                    send(client, i % 1_000 == 999 ? WAIT : HELLO);
                }
            });
            for (int i = 0; i <= count; i++) {
                if (i % 1_000 == 0) {
                    await().until(() -> !waiting.isEmpty());
                    answer(waiting.poll(), "waited");
                }
                assertThat(client.read().body()).isEqualTo(i % 1_000 == 0 ? "waited" : "hello");
            }
            sending.join();
            assertThat(client.send(HELLO).read().body()).isEqualTo("hello");
        }
        assertThat(aborted).isEmpty();
    }

    private static void send(RawClient client, String request) {
        try {
            client.send(request);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
