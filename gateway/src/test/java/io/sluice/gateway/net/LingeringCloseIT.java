package io.sluice.gateway.net;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.limits.DirectMemory;
import io.sluice.gateway.routing.Route;
import io.sluice.gateway.tls.SecureClient;
import io.sluice.gateway.tls.TestCertificates;
import io.sluice.gateway.tls.TlsServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lingering close: clients that go on sending after the last answer of their connection. */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class LingeringCloseIT {
    private static final byte[] PIECE = new byte[64 * 1024];
    /** The bound of sent bytes: a read between two pauses, and all buffers. */
    private static final long MAX_BYTES = 32L << 20;
    /** An answer larger than the gateway's buffers. */
    private static final String LARGE = "a".repeat(1_000_000) + "z";

    @Parameter
    private boolean tls;
    private AutoCloseable server;
    private HandlerServer http;

    @BeforeEach
    void start(@TempDir Path folder) {
        Route[] routes = {route("/", exchange -> answer(exchange, LARGE))};
        if (tls) {
            String files = TestCertificates.write(folder, "a", TestCertificates.LOCALHOST);
            var secure = TlsServer.withClock(TlsServer.config(folder, files), routes);
            http = secure.http();
            server = secure;
        } else {
            http = HandlerServer.withClock(Map.of(), routes);
            server = http;
        }
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    private enum Last {
        REQUEST("http/1.1", "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", LARGE),
        WITHOUT_HOST("http/1.1", "GET / HTTP/1.1\r\n\r\n", "}"),
        FRAME_TOO_LONG("h2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"
                + "\u00ff\u00ff\u00ff\0\0\0\0\0\1",
                "Frame length: 16777215 exceeds maximum: 16384");

        private final String protocol;
        private final String sent;
        /** The end of the expected answer. */
        private final String end;

        Last(String protocol, String sent, String end) {
            this.protocol = protocol;
            this.sent = sent;
            this.end = end;
        }
    }

    private RawClient connect(String protocol) throws IOException {
        return tls ? SecureClient.connect(http.port(),
                ask -> ask.setApplicationProtocols(new String[] {protocol})) : new RawClient(http.port());
    }

    @ParameterizedTest
    @EnumSource
    void floodIsReadAtABoundedRateAndTheResponseIsComplete(Last last) throws IOException {
        try (var client = connect(last.protocol)) {
            client.send(last.sent);
            var sent = new AtomicLong();
            var flood = CompletableFuture.runAsync(() -> flood(client, sent));
            try {
                byte[] answer = client.socket().getInputStream().readAllBytes();
                assertThat(new String(answer, StandardCharsets.ISO_8859_1).endsWith(last.end)).isTrue();
                assertReadInTurns(sent);
                assertThat(flood).isNotDone();
            } finally {
                http.pass(Duration.ofSeconds(3));
                flood.join();
            }
            assertThat(sent).hasValueLessThan(MAX_BYTES);
        }
    }

    @Test
    void floodIsReadAtABoundedRateIfTheResponseIsUnread() throws IOException {
        try (var client = connect("http/1.1")) {
            client.send(Last.REQUEST.sent);
            var sent = new AtomicLong();
            var flood = CompletableFuture.runAsync(() -> flood(client, sent));
            try {
                assertReadInTurns(sent);
                assertThat(flood).isNotDone();
            } finally {
                http.connections().closeAll(); // a client of TLS waits in close() for its writes
                flood.join();
            }
        }
    }

    private void assertReadInTurns(AtomicLong sent) {
        long first = awaitStall(sent);
        await("they are read again").until(() -> {
            http.pass(Duration.ofMillis(10));
            return sent.get() > first;
        });
        awaitStall(sent);
    }

    /** Waits until no more can be sent, and returns the number of sent bytes. */
    private static long awaitStall(AtomicLong sent) {
        var last = new AtomicLong(-1);
        await().during(Duration.ofMillis(200)).until(() -> last.getAndSet(sent.get()) == sent.get());
        assertThat(sent).hasValueLessThan(MAX_BYTES);
        return sent.get();
    }

    @Test
    void oversizedBodyGetsItsResponse() throws IOException {
        try (var client = connect("http/1.1")) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4194304\r\n\r\n");
            var flood = CompletableFuture.runAsync(() -> flood(client, new AtomicLong()));
            assertThat(client.read().status()).isEqualTo(413);
            http.pass(Duration.ofSeconds(3));
            flood.join();
        }
    }

    /** While memory is short, the decoder stops reading behind the beginning of a head. */
    @Test
    void responseIsSentWhileReadingIsPaused() throws IOException {
        long all = DirectMemory.ofProcess().limit();
        DirectMemory.count(all);
        try (var client = connect("http/1.1")) {
            await().until(DirectMemory::isShort);
            client.send(Last.WITHOUT_HOST.sent + "GET / HT");
            assertThat(client.read().status()).isEqualTo(400);
            assertThat(client.isClosed()).isTrue();
        } finally {
            DirectMemory.count(-all);
        }
    }

    /** Sends until the connection breaks, and counts the sent bytes. */
    private static void flood(RawClient client, AtomicLong sent) {
        try {
            while (sent.get() < MAX_BYTES) {
                client.socket().getOutputStream().write(PIECE);
                sent.addAndGet(PIECE.length);
            }
        } catch (IOException e) {
            // the connection is closed
        }
    }
}
