package io.sluice.gateway.proxy;

import static io.sluice.gateway.proxy.ProxyBed.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses that a client could parse differently than the gateway: they become 502, or are cut off. */
class MalformedResponseIT {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    static Stream<String> malformed() {
        Stream<String> statusLines = Stream.of("http/1.1 200 OK", "HTTP/1.1200 OK", "HTTP/1.1 2000 OK",
                "200 OK", "HTTP/1.1 20 OK", "HTTP/1.1 +20 OK", "HTTP/1.1 099 OK", "HTTP/1.1 abc OK",
                "HTTP/1.1  200 OK", "HTTP/1.1\t200 OK", " HTTP/1.1 200 OK", "HTTP/1.1 200\tOK", "HTTP/1.1",
                "HTTP/1.1 200\t OK", "HTTP/1.1 200\u000b OK",
                "HTTP/2.0 200 OK", "HTTP/0.9 200 OK", "ICY 200 OK", "HTTP/1.1 200 O\0K", "HTTP/1.1 200 O\rK",
                "HTTP/1.1 200 O\u007fK", "\r\nHTTP/1.1 200 OK", "\nHTTP/1.1 200 OK", "\0HTTP/1.1 200 OK",
                "xHTTP/1.1 200 OK",
                "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket",
                "HTTP/1.1 100 Continue\r\n\r\n\r\nHTTP/1.1 200 OK",
                "HTTP/1.1 100 Continue\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK");
        Stream<String> fields = Stream.of("X A: 1", "X-A : 1", "X-A\t: 1", ": 1", "no colon", "X-\u00fc: 1",
                "X-A: \0", "X-A: a\rb", "X-A: a\nX-B: 1", "X-A: a\u0001b", " X-First: folded",
                "X-A: a\r\n ", "X-A: a\r\n\t",
                "Content-Length: 3", "content-length: 2", "Transfer-Encoding: chunked",
                "Transfer-Encoding: gzip", "Transfer-Encoding : chunked", "X-Long: " + "a".repeat(70 * 1024),
                "X: 1\r\n".repeat(1000).strip(), "Connection: a" + ",a".repeat(100),
                "X-A: a" + "\r\n b".repeat(17),
                "X-A: a" + "\r\n b".repeat(9) + "\r\nX-B: a" + "\r\n\tb".repeat(8),
                "X-A: a" + "\r\n b".repeat(30_000));
        Stream<String> lengths = Stream.of("Content-Length: +2", "Content-Length: -2",
                "Content-Length: 2, 2", "Content-Length: 0x2", "Content-Length: 99999999999999999999",
                "Content-Length: ", "Transfer-Encoding: gzip", "Transfer-Encoding: gzip, chunked",
                "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: identity",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "Transfer-Encoding: xchunked",
                "Content-Length: 0\r\nTransfer-Encoding: gzip");
        return Stream.of(statusLines.map(line -> line + "\r\nContent-Length: 2\r\n\r\nok"),
                fields.map(field -> "HTTP/1.1 200 OK\r\n" + (field.startsWith(" ") ? "" : "X: 1\r\n") + field
                        + "\r\nContent-Length: 2\r\n\r\nok"),
                lengths.map(field -> "HTTP/1.1 200 OK\r\n" + field + "\r\n\r\n0\r\n\r\n"),
                Stream.of("HTTP/1.1 200 OK\nContent-Length: 2\n\nok",
                        "HTTP/1.0 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok",
                        "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"))
                .flatMap(cases -> cases);
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void is502(String response) throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.request();
            origin.send(response).drain();
        }))) {
            RawClient.Answer answer = proxy.get("/");
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.header("content-type")).isEqualTo("application/problem+json");
            assertThat(answer.body()).contains("\"detail\":\"response: ").doesNotContain("127.0.0.1");
            await().until(() -> proxy.origin().open() == 0);
            assertThat(proxy.origin().requests()).hasSize(1);
            await().untilAsserted(() -> assertThat(proxy.endpoint().inFlight()).isZero());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Connection: Upgrade", "Connection: Upgrade\r\nUpgrade: h2c",
        "Connection: Upgrade\r\nUpgrade: websocket, h2c", "Upgrade: websocket",
        "Connection: Upgrade\r\nUpgrade: websocket\r\nUpgrade: h2c",
        "Connection: close\r\nUpgrade: websocket"})
    void is502IfItSwitchesToAnotherProtocol(String fields) throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.request();
            origin.send("HTTP/1.1 101 Switching Protocols\r\n" + fields + "\r\n\r\n").drain();
        }))) {
            assertThat(proxy.get("/", "Connection: Upgrade", "Upgrade: websocket",
                    "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==").status())
                    .isEqualTo(502);
            await().until(() -> proxy.origin().open() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2\nok\r\n0\r\n\r\n", "2\r\nok0\r\n\r\n", "2\r\nokay\r\n0\r\n\r\n", "x\r\nok\r\n",
        "-1\r\nok\r\n", "80000000\r\nok\r\n", "100000002\r\nok\r\n0\r\n\r\n",
        "10000000000000002\r\nok\r\n0\r\n\r\n", "2;a=\"b\r\nok\r\n0\r\n\r\n", "2;\0\r\nok\r\n",
        "2;a\nb\r\nok\r\n", "\r\n2\r\nok\r\n",
        "2\r\nok\r\n0\r\nX A: 1\r\n\r\n", "2\r\nok\r\n0\r\nX-A: a\r\n b\r\n\r\n",
        "2\r\nok\r\n0\r\nX-A: a\nb\r\n\r\n"})
    void inItsFirstChunksIs502(String chunks) throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.request();
            origin.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks).drain();
        }))) {
            assertThat(proxy.get("/").status()).isEqualTo(502);
            await().until(() -> proxy.origin().open() == 0);
        }
    }

    static Stream<String> inItsLaterChunksIsCutOff() {
        String data = "2710\r\n" + "a".repeat(10_000) + "\r\n"; // makes room for extensions, not for trailers
        return Stream.of("2\r\nokay", "2;" + "a".repeat(70_000) + "\r\nok\r\n",
                "0\r\n" + "X:\r\n".repeat(1001) + "\r\n",
                data + "0\r\n" + ("X: " + "a".repeat(40_000) + "\r\n").repeat(2) + "\r\n");
    }

    @ParameterizedTest
    @MethodSource
    void inItsLaterChunksIsCutOff(String chunks) throws IOException {
        var begun = new CountDownLatch(1);
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.request();
            origin.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n");
            begun.await();
            origin.send(chunks).drain();
        })); RawClient client = proxy.connect().send(request("GET", "/"))) {
            assertThat(client.socket().getInputStream().read()).isPositive();
            begun.countDown();
            assertThatThrownBy(() -> client.socket().getInputStream().readAllBytes())
                    .isInstanceOf(IOException.class).hasMessageContaining("reset");
        }
    }

    /** A later minor version is that of HTTP/1.1 (RFC 9110 section 2.5). */
    @Test
    void ofALaterMinorVersionIsServed() throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering(
                "HTTP/1.2 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"))) {
            assertThat(proxy.get("/").body()).isEqualTo("ok");
            assertThat(proxy.get("/").body()).isEqualTo("ok");
            assertThat(proxy.origin().connections()).isEqualTo(1);
        }
    }

    /** A reason phrase may begin with blanks (RFC 9112 section 4). */
    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 200  OK", "HTTP/1.1 200 \tOK", "HTTP/1.1 200 \t ", "HTTP/1.1 200 "})
    void withBlanksInItsReasonIsServed(String statusLine) throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering(
                statusLine + "\r\nContent-Length: 2\r\n\r\nok"))) {
            assertThat(proxy.get("/").status()).isEqualTo(200);
        }
    }

    @Test
    void withFoldedLinesIsUnfolded() throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering(
                "HTTP/1.1 200 OK\r\nX-A: a\r\n b\r\n\tc\r\nContent-Length: 2\r\n\r\nok"))) {
            assertThat(proxy.get("/").header("x-a")).isEqualTo("a b c");
        }
    }

    @ParameterizedTest
    @CsvSource({"16, 200", "17, 502"})
    void mayHaveSixteenFoldedLinesHoweverTheyArrive(int lines, int status) throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.request();
            for (String line : ("HTTP/1.1 200 OK|X-A: a" + "| b".repeat(lines) + "|Content-Length: 0||")
                    .splitWithDelimiters("\\|", 0)) {
                origin.send(line.replace("|", "\r\n"));
            }
            origin.drain();
        }))) {
            assertThat(proxy.get("/").status()).isEqualTo(status);
        }
    }

    @Test
    void isTakenByteByByte() throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            while (origin.request() != null) {
                for (char c : ("HTTP/1.1 103 A\r\n\r\n" + OK).toCharArray()) {
                    origin.send(String.valueOf(c));
                }
            }
        }))) {
            for (int i = 0; i < 3; i++) {
                try (RawClient client = proxy.connect().send(request("GET", "/"))) {
                    assertThat(client.read().status()).isEqualTo(103);
                    assertThat(client.read().body()).isEqualTo("ok");
                }
            }
            assertThat(proxy.origin().connections()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "H", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 103 A\r\n\r\n"})
    void thatEndsInItsHeadIs502(String begin) throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.request();
            origin.send(begin);
        })); RawClient client = proxy.connect()) {
            client.send(request("POST", "/"));
            RawClient.Answer answer = client.read();
            answer = answer.status() == 103 ? client.read() : answer;
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.body()).contains("response: the upstream closed the connection");
            assertThat(proxy.origin().requests()).hasSize(1);
        }
    }
}
