package io.sluice.gateway.http1;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static io.sluice.gateway.http1.MalformedRequestIT.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every limit of a request: at the limit, and one beyond it. */
class RequestLimitsIT {
    private static final int LINE = 8 * 1024;
    private static final int BLOCK = 32 * 1024;
    private static final int HEADERS = 100;
    private static final String CHUNKED =
            "POST /collect HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static HandlerServer server;

    @BeforeAll
    static void start() {
        server = HandlerServer.start(
                route("/", exchange -> answer(exchange, "hello")),
                route("/collect", exchange -> exchange.readBody(
                        body -> answer(exchange, String.valueOf(body.readableBytes())))));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    // --- head

    @Test
    void requestLineLengthIsLimited() throws IOException {
        String rest = "GET /? HTTP/1.1";
        assertAnswered(get("/?" + "a".repeat(LINE - rest.length()), ""));
        assertIsRefused(414, get("/?" + "a".repeat(LINE - rest.length() + 1), ""));
    }

    @Test
    void methodLengthIsLimitedByTheRequestLine() throws IOException {
        try (RawClient client = server.connect()) {
            client.send("A".repeat(LINE - 20) + " / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(405);
        }
        assertIsRefused(414, "A".repeat(LINE) + " / HTTP/1.1\r\nHost: a\r\n\r\n");
    }

    @Test
    void headerBytesAreLimited() throws IOException {
        String rest = "Host: aX: ";
        assertAnswered(get("/", "X: " + "a".repeat(BLOCK - rest.length()) + "\r\n"));
        assertIsRefused(431, get("/", "X: " + "a".repeat(BLOCK - rest.length() + 1) + "\r\n"));
        assertIsRefused(431, get("/", "X".repeat(BLOCK) + ": a\r\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"X: aaaaaa\r\n", "X:\r\n"})
    void headerCountIsLimited(String header) throws IOException {
        assertAnswered(get("/", header.repeat(HEADERS - 1)));
        assertIsRefused(431, get("/", header.repeat(HEADERS)));
        assertIsRefused(431, get("/", header.repeat(10_000)));
    }

    @Test
    void headersAreCountedForEachRequestOfAConnection() throws IOException {
        String request = get("/", "X: a\r\n".repeat(HEADERS - 1));
        try (RawClient client = server.connect()) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.send(request).read().body()).isEqualTo("hello");
            }
        }
    }

    @Test
    void emptyLinesBeforeARequestAreLimited() throws IOException {
        assertAnswered("\r\n".repeat(8) + get("/", ""));
        assertIsRefused(400, "\r\n".repeat(9) + get("/", ""));
        assertIsRefused(400, "\r\n".repeat(100_000));
        try (RawClient client = server.connect()) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.send("\r\n".repeat(8) + get("/", "")).read().body()).isEqualTo("hello");
            }
        }
    }

    @Test
    void endlessRequestLineGets414() throws IOException {
        try (RawClient client = server.connect()) {
            for (int i = 0; i < 32; i++) {
                client.send("a".repeat(64 * 1024));
            }
            assertRefused(client, 414);
        }
    }

    // --- chunk framing

    @Test
    void trailerCountIsLimited() throws IOException {
        assertAnswered(CHUNKED + "0\r\n" + "X:\r\n".repeat(HEADERS) + "\r\n");
        assertIsRefused(431, CHUNKED + "0\r\n" + "X:\r\n".repeat(HEADERS + 1) + "\r\n");
    }

    @Test
    void trailerBytesAreLimited() throws IOException {
        String rest = "0\r\nX: \r\n\r\n";
        assertAnswered(CHUNKED + "0\r\nX: " + "a".repeat(BLOCK - rest.length()) + "\r\n\r\n");
        assertIsRefused(431, CHUNKED + "0\r\nX: " + "a".repeat(BLOCK - rest.length() + 1) + "\r\n\r\n");
        assertIsRefused(431, CHUNKED + "0\r\nX: " + "a".repeat(100_000));
        String data = "8000\r\n" + "a".repeat(BLOCK) + "\r\n";
        String line = "X: " + "a".repeat(BLOCK / 2) + "\r\n";
        assertAnswered(CHUNKED + data + "0\r\n" + line + "\r\n");
        assertIsRefused(431, CHUNKED + data + "0\r\n" + line.repeat(2) + "\r\n");
    }

    @ParameterizedTest
    @CsvSource({"5;a=,", "5;a=\",\"", "5;a,", "'',5", "'5;b',;a"})
    void chunkLineLengthIsLimited(String before, String after) throws IOException {
        String end = after == null ? "" : after;
        int filling = BLOCK - before.length() - end.length() - 2;
        String rest = "\r\nhello\r\n0\r\n\r\n";
        assertAnswered(CHUNKED + before + "0".repeat(filling) + end + rest);
        assertIsRefused(431, CHUNKED + before + "0".repeat(filling + 1) + end + rest);
    }

    @Test
    void totalChunkExtensionBytesAreLimited() throws IOException {
        String chunk = "1;" + "a".repeat(1000) + "\r\nx\r\n";
        assertAnswered(CHUNKED + chunk.repeat(30) + "0\r\n\r\n");
        assertIsRefused(431, CHUNKED + chunk.repeat(40) + "0\r\n\r\n");
        assertIsRefused(431, CHUNKED + chunk.repeat(30) + "0\r\nX: " + "a".repeat(5000) + "\r\n\r\n");
    }

    @Test
    void extensionsMayBeLongerWithTheData() throws IOException {
        assertAnswered(CHUNKED + "1\r\nx\r\n".repeat(50_000) + "0\r\n\r\n");
        String signed = "400;signature=" + "0".repeat(64) + "\r\n" + "x".repeat(1024) + "\r\n";
        assertAnswered(CHUNKED + signed.repeat(1000) + "0\r\n\r\n");
        assertIsRefused(431, CHUNKED + signed.repeat(1000) + "1;" + "a".repeat(BLOCK) + "\r\nx\r\n");
    }

    private static String get(String target, String headers) {
        return "GET " + target + " HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n";
    }

    private static void assertAnswered(String request) throws IOException {
        try (RawClient client = server.connect()) {
            RawClient.Answer answer = client.send(request).read();
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(client.send(get("/", "")).read().body()).isEqualTo("hello");
        }
    }

    private static void assertIsRefused(int status, String request) throws IOException {
        try (RawClient client = server.connect()) {
            assertRefused(client.send(request), status);
        }
    }
}
