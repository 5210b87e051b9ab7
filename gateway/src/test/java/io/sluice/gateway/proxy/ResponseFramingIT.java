package io.sluice.gateway.proxy;

import static io.sluice.gateway.proxy.ProxyBed.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Framing of proxied responses over HTTP/1: the end of the body at the origin, and towards the client. */
class ResponseFramingIT {
    private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    /** Returns the answer to a request. A second exchange checks that both connections are still usable. */
    private static RawClient.Answer exchangeTwice(String method, String response) throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering(response));
                RawClient client = proxy.connect()) {
            RawClient.Answer answer = null;
            for (int i = 0; i < 2; i++) {
                client.send(request(method, "/"));
                answer = method.equals("HEAD") ? client.readHead() : client.read();
            }
            assertThat(proxy.origin().connections()).isEqualTo(1);
            assertThat(proxy.endpoint().unexpectedBytes()).isZero();
            return answer;
        }
    }

    @Test
    void inChunksLeavesInOwnChunksAsItArrives() throws IOException {
        var read = new CountDownLatch(1);
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.request();
            origin.send(CHUNKED + "00003;a=\"b\"\r\nabc\r\n");
            read.await();
            origin.send("4\r\nde").send("fg\r\n0\r\nX-Sum: 7\r\nTE: a\r\nContent-Type: b\r\n"
                    + "Content-Length: 7\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n").hold();
        })); RawClient client = proxy.connect()) {
            client.send(request("GET", "/"));
            String begin = readUntil(client, "\r\n\r\n3\r\nabc\r\n");
            assertThat(begin.toLowerCase()).containsOnlyOnce("transfer-encoding: chunked");
            read.countDown();
            String rest = readUntil(client, "\r\n0\r\nX-Sum: 7\r\n\r\n");
            assertThat(rest.replaceAll("[\r\n1-9]", "")).startsWith("defg");
        }
    }

    private static String readUntil(RawClient client, String end) throws IOException {
        var all = new StringBuilder();
        while (all.indexOf(end) < 0) {
            int b = client.socket().getInputStream().read();
            assertThat(b).as(all.toString()).isNotNegative();
            all.append((char) b);
        }
        return all.toString();
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", value = {
        "GET,  'Content-Length: 2\r\n\r\nok',                                          2, -,       ok",
        "GET,  'Content-Length: 0\r\n\r\n',                                            0, -,       ''",
        "GET,  'Transfer-Encoding: Chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',               2, -,       ok",
        "GET,  'Transfer-Encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n',      2, -,       ok",
        "HEAD, 'Content-Length: 2\r\n\r\n',                                            2, -,       ''",
        "HEAD, 'Transfer-Encoding: chunked\r\n\r\n',                                   -, chunked, ''",
        "HEAD, 'X-None: 1\r\n\r\n',                                                    -, chunked, ''"})
    void hasItsLength(String method, String rest, String length, String coding, String body)
            throws IOException {
        RawClient.Answer answer = exchangeTwice(method, "HTTP/1.1 200 OK\r\n" + rest);
        assertThat(answer.header("content-length")).isEqualTo(length);
        assertThat(answer.header("transfer-encoding")).isEqualTo(coding);
        assertThat(answer.body()).isEqualTo(body);
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", value = {
        "204, GET, '',                    -", "204, POST, 'Content-Length: 0\r\n', -",
        "304, GET, '',                    -", "304, GET, 'Content-Length: 9\r\n', 9",
        "304, HEAD, 'ETag: \"a\"\r\n',    -", "205, GET, 'Content-Length: 0\r\n', 0",
        "205, HEAD, '',                   0"})
    void ofAStatusWithoutABodyEndsWithItsHead(int status, String method, String fields, String length)
            throws IOException {
        RawClient.Answer answer = exchangeTwice(method, "HTTP/1.1 " + status + " A\r\n" + fields + "\r\n");
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.header("content-length")).isEqualTo(length);
        assertThat(answer.header("transfer-encoding")).isNull();
    }

    /** A body that has no length, or does not end, is nobody's: the client does not wait for it. */
    @ParameterizedTest
    @ValueSource(strings = {"", "Content-Length: 2\r\n", "Transfer-Encoding: chunked\r\n"})
    void of205IsTheLastOfItsConnectionUnlessItsEndHasCome(String fields) throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.request();
            origin.send("HTTP/1.1 205 A\r\n" + fields + "\r\n").drain();
        })); RawClient client = proxy.connect()) {
            for (int i = 1; i <= 2; i++) {
                RawClient.Answer answer = client.send(request("GET", "/")).read();
                assertThat(answer.status()).isEqualTo(205);
                assertThat(answer.header("content-length")).isEqualTo("0");
                await().until(() -> proxy.origin().open() == 0);
                assertThat(proxy.origin().connections()).isEqualTo(i);
            }
            await().untilAsserted(() -> assertThat(proxy.endpoint().inFlight()).isZero());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 200 OK\r\n\r\nto the end", "HTTP/1.0 200 OK\r\n\r\nto the end",
        "HTTP/1.0 200 OK\r\nContent-Length: 10\r\n\r\nto the end",
        "HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 10\r\n\r\nto the end"})
    void mayEndWithTheConnection(String response) throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.request();
            origin.send(response);
        })); RawClient client = proxy.connect()) {
            for (int i = 1; i <= 2; i++) {
                RawClient.Answer answer = client.send(request("GET", "/")).read();
                assertThat(answer.body()).isEqualTo("to the end");
                assertThat(answer.header("via")).isEqualTo(response.substring(5, 8) + " sluice");
                assertThat(proxy.origin().connections()).isEqualTo(i);
            }
        }
    }

    @Test
    void ofHttp10IsTheLastOfItsConnection() throws IOException {
        String response = "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok";
        try (var proxy = ProxyBed.start(ByteOrigin.answering(response)); RawClient client = proxy.connect()) {
            assertThat(client.send(request("GET", "/")).read().body()).isEqualTo("ok");
            assertThat(client.send(request("GET", "/")).read().body()).isEqualTo("ok");
            assertThat(proxy.origin().connections()).isEqualTo(2);
        }
    }

    @Test
    void toHttp10EndsWithTheConnectionOrHasALength() throws IOException {
        String request = "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.request();
            origin.send("HTTP/1.1 103 Early Hints\r\n\r\n" + OK);
            origin.request();
            origin.send(CHUNKED + "1\r\na\r\n1\r\nb\r\n0\r\nX-Sum: 1\r\n\r\n").hold();
        })); RawClient client = proxy.connect()) {
            assertThat(client.send(request).read().header("connection")).isEqualTo("keep-alive");
            RawClient.Answer last = client.send(request).read();
            assertThat(last.header("transfer-encoding")).isNull();
            assertThat(last.body()).isEqualTo("ab");
            assertThat(proxy.origin().requests().getFirst()).startsWith("GET / HTTP/1.1\r\n")
                    .contains("\r\nVia: 1.0 sluice\r\n");
        }
    }

    @Test
    void comesAfterInformationalOnes() throws IOException {
        String hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nConnection: X-A\r\nX-A: 1\r\n\r\n";
        try (var proxy = ProxyBed.start(ByteOrigin.answering("HTTP/1.1 100 Continue\r\n\r\n" + hints
                + "HTTP/1.1 102 Processing\r\n\r\n" + hints + OK)); RawClient client = proxy.connect()) {
            for (int i = 0; i < 2; i++) {
                client.send(request("GET", "/"));
                assertThat(client.read()).extracting(RawClient.Answer::status, RawClient.Answer::headers)
                        .containsExactly(103, List.of("Link: </a>"));
                assertThat(client.read().status()).isEqualTo(102);
                assertThat(client.read().status()).isEqualTo(103);
                assertThat(client.read().body()).isEqualTo("ok");
            }
            assertThat(proxy.origin().connections()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"100, 200", "101, 502", "10000, 502"})
    void comesAfterAHundredInformationalOnesAtMost(int informational, int status) throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering(
                "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(informational) + OK));
                RawClient client = proxy.connect()) {
            for (int request = 0; request < 2; request++) {
                client.send(request("GET", "/"));
                for (int i = 0; i < 100; i++) {
                    assertThat(client.read().status()).isEqualTo(103);
                }
                assertThat(client.read().status()).isEqualTo(status);
            }
            assertThat(proxy.origin().connections()).isEqualTo(status == 200 ? 1 : 2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 5\r\n\r\nab", "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
        "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nX-A: 1\r\n", "\r\nab"})
    void thatBreaksOffIsCutOff(String rest) throws IOException {
        var read = new CountDownLatch(1);
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.request();
            origin.send("HTTP/1.1 200 OK\r\n" + rest);
            read.await();
            origin.reset();
        })); RawClient client = proxy.connect()) {
            client.send(request("GET", "/"));
            readUntil(client, "ab");
            read.countDown();
            assertThatThrownBy(() -> client.socket().getInputStream().readAllBytes())
                    .isInstanceOf(IOException.class).hasMessageContaining("reset");
            await().untilAsserted(() -> assertThat(proxy.endpoint().inFlight()).isZero());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {OK + OK, OK + "\r\n", OK + "x", "HTTP/1.1 204 A\r\n\r\nab",
        "HTTP/1.1 304 A\r\nContent-Length: 2\r\n\r\nab", CHUNKED + "0\r\n\r\n\0"})
    void withFurtherBytesIsTheLastOfItsConnection(String response) throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering(response)); RawClient client = proxy.connect()) {
            for (int i = 1; i <= 3; i++) {
                assertThat(client.send(request("GET", "/")).read().status()).isLessThan(400);
                assertThat(proxy.origin().connections()).isEqualTo(i);
                assertThat(proxy.endpoint().unexpectedBytes()).isEqualTo(i);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {OK, "\r\n", "x"})
    void withoutARequestClosesTheIdleConnection(String bytes) throws IOException {
        var answered = new CountDownLatch(1);
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.request();
            origin.send(OK);
            answered.await();
            origin.send(bytes).drain();
        }))) {
            assertThat(proxy.get("/").body()).isEqualTo("ok");
            answered.countDown();
            await().until(() -> proxy.origin().open() == 0);
            assertThat(proxy.endpoint().unexpectedBytes()).isEqualTo(1);
            assertThat(proxy.get("/").body()).isEqualTo("ok");
            assertThat(proxy.origin().connections()).isEqualTo(2);
        }
    }

    /**
     * An early response cannot be told from a fast one. Yet no other request may get the response after it.
     */
    @Test
    void thatComesBeforeItsRequestIsNeverThatOfAnotherRequest() throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly");
            origin.request();
            origin.send(OK).drain();
        }))) {
            for (int i = 1; i <= 3; i++) {
                assertThat(proxy.get("/").body()).isEqualTo("early");
                await().until(() -> proxy.origin().open() == 0);
                assertThat(proxy.origin().connections()).isEqualTo(i);
            }
        }
    }

    @Test
    void whoseConnectionTheOriginClosesLaterCostsNoRequest() throws IOException {
        try (var proxy = ProxyBed.start("sluice.upstreams.origin.retries = 0", ByteOrigin.playing(origin -> {
            origin.request();
            origin.send(OK);
        }))) {
            for (int i = 1; i <= 5; i++) {
                assertThat(proxy.exchange(request("POST", "/", "Content-Length: 1") + 'a').status())
                        .isEqualTo(200);
                int connections = i;
                await().until(() -> proxy.origin().open() == 0);
                assertThat(proxy.origin().connections()).isEqualTo(connections);
            }
        }
    }
}
