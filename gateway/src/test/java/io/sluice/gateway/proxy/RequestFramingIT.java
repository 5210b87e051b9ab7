package io.sluice.gateway.proxy;

import static io.sluice.gateway.proxy.ProxyBed.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RawClient;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Framing of proxied requests, as bytes at the origin. */
class RequestFramingIT {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final String CHUNKED = "Transfer-Encoding: chunked\r\n";

    /** Returns the received bytes after Via, the last line that every request has. */
    private static String rest(String request) throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering(OK)); RawClient client = proxy.connect()) {
            for (int i = 0; i < 2; i++) {
                assertThat(client.send(request).read().status()).isEqualTo(200);
            }
            assertThat(proxy.origin().connections()).isEqualTo(1);
            String received = proxy.origin().requests().getLast();
            return received.substring(received.indexOf("\r\nVia: 1.1 sluice\r\n") + 19);
        }
    }

    @ParameterizedTest
    @CsvSource({"GET, ''", "DELETE, ''", "OPTIONS, ''", "POST, 'Content-Length: 0\r\n'",
        "PUT, 'Content-Length: 0\r\n'", "PATCH, 'Content-Length: 0\r\n'"})
    void withoutABodyHasALengthWhereOneIsExpected(String method, String line) throws IOException {
        assertThat(rest(request(method, "/"))).isEqualTo(line + "\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "DELETE"})
    void keepsItsLength(String method) throws IOException {
        assertThat(rest(request(method, "/", "content-length: 5") + "hello"))
                .isEqualTo("Content-Length: 5\r\n\r\nhello");
    }

    @Test
    void inChunksGetsOwnChunks() throws IOException {
        assertThat(rest(request("POST", "/", "Transfer-Encoding: Chunked")
                + "0003;a=b\r\nabc\r\n00000B;c=\"d\"\r\ndefghijklmn\r\n0\r\n\r\n"))
                .isEqualTo(CHUNKED + "\r\ne\r\nabcdefghijklmn\r\n0\r\n\r\n");
        assertThat(rest(request("POST", "/", "Transfer-Encoding: chunked") + "0\r\n\r\n"))
                .isEqualTo(CHUNKED + "\r\n0\r\n\r\n");
    }

    @Test
    void keepsTrailersButThoseThatStateWhoTheClientIs() throws IOException {
        assertThat(rest(request("PUT", "/", "Transfer-Encoding: chunked", "Trailer: X-Sum") + "1\r\na\r\n"
                + "0\r\nX-Sum: 1\r\nX_Forwarded_For: 1.2.3.4\r\nForwarded: for=1.2.3.4\r\n"
                + "Client.IP: 1.2.3.4\r\nX-Original-URL: /a\r\nx-sum: 2\r\n\r\n"))
                .isEqualTo(CHUNKED + "\r\n1\r\na\r\n0\r\nX-Sum: 1\r\nx-sum: 2\r\n\r\n");
    }

    @Test
    void arrivesAsItComes() throws Exception {
        var seen = new CountDownLatch(1);
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.head();
            if (origin.read(8).equals("3\r\nabc\r\n")) {
                seen.countDown();
            }
            origin.read(13);
            origin.send(OK).hold();
        })); RawClient client = proxy.connect()) {
            client.send(request("POST", "/", "Transfer-Encoding: chunked") + "3\r\nabc\r\n");
            assertThat(seen.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(client.send("3\r\ndef\r\n0\r\n\r\n").read().status()).isEqualTo(200);
        }
    }

    @Test
    void mayHaveALongTarget() throws IOException {
        String target = "/" + "a/".repeat(8_000) + "?" + "q".repeat(16_000);
        try (var proxy = ProxyBed.start("sluice.server { max-request-line = 64KiB }",
                ByteOrigin.answering(OK))) {
            assertThat(proxy.get(target).status()).isEqualTo(200);
            assertThat(proxy.origin().requests().getFirst()).startsWith("GET " + target + " HTTP/1.1\r\n");
        }
    }

    @Test
    void isOneOfAThousandInOrder() throws IOException {
        int all = 1000;
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            for (String got = origin.request(); got != null; got = origin.request()) {
                String target = got.split(" ")[1];
                origin.send("HTTP/1.1 200 OK\r\nContent-Length: " + target.length() + "\r\n\r\n" + target);
            }
        })); RawClient client = proxy.connect()) {
            var requests = new StringBuilder();
            for (int i = 0; i < all; i++) {
                requests.append(request("GET", "/" + i));
            }
            client.send(requests.toString());
            for (int i = 0; i < all; i++) {
                assertThat(client.read().body()).isEqualTo("/" + i);
            }
            assertThat(proxy.origin().connections()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"'', close", "'Connection: keep-alive\r\n', keep-alive"})
    void ofHttp10IsSentAsHttp11(String line, String connection) throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering(OK))) {
            assertThat(proxy.exchange("GET /a HTTP/1.0\r\n" + line + "\r\n").header("connection"))
                    .isEqualTo(connection);
            assertThat(proxy.origin().requests().getFirst())
                    .startsWith("GET /a HTTP/1.1\r\nHost: 127.0.0.1:" + proxy.origin().port() + "\r\n")
                    .doesNotContain("Connection");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n",
        "TRACE / HTTP/1.1\r\nHost: a\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "GET http://a\\b/ HTTP/1.1\r\nHost: a\r\n\r\n"})
    void thatIsNotForTheOriginDoesNotReachIt(String request) throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering(OK))) {
            int status = proxy.exchange(request).status();
            assertThat(status).isIn(request.startsWith("OPTIONS") ? List.of(200, 204)
                    : List.of(400, 405, 501));
            assertThat(proxy.origin().connections()).isZero();
        }
    }
}
