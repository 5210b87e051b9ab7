package io.sluice.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RawClient;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hop-by-hop fields, which the proxy removes, and end-to-end fields, which it passes on unchanged. */
class HopByHopIT {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private static List<String> linesOf(String message) {
        return message.lines().skip(1).takeWhile(line -> !line.isEmpty()).toList();
    }

    /** Returns the client's lines of a request. The gateway's own lines follow them. */
    private static List<String> sentBefore(String request) {
        return linesOf(request).stream().takeWhile(line -> !line.startsWith("Forwarded:")).toList();
    }

    @Test
    void keepsSpellingOrderAndDuplicatesOfARequest() throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering(OK))) {
            String[] lines = {"x-LOWER-Upper: a  b", "Accept: text/html", "X-Twice: 1", "Cookie: a=1; b=2",
                "X-Empty: ", "X-Twice: 2", "X-Obs-Text: caf\u00e9\u00ff", "Trailer: X-Sum"};
            assertThat(proxy.get("/", lines).status()).isEqualTo(200);
            assertThat(sentBefore(proxy.origin().requests().getFirst()))
                    .startsWith("Host: shop.example").endsWith(lines);
        }
    }

    @Test
    void keepsSpellingOrderAndDuplicatesOfAResponse() throws IOException {
        String[] lines = {"sErVer: origin/1", "Set-Cookie: a=1", "Date: yesterday", "Set-Cookie: b=2",
            "CONTENT-length: 2", "X-Obs-Text: caf\u00e9\u00ff", "X-Empty: ", "Trailer: X-Sum", "Link: </a>",
            "Link: </b>"};
        try (var proxy = ProxyBed.start(ByteOrigin.answering(
                "HTTP/1.1 200 Fine \u00fcbrigens\r\n" + String.join("\r\n", lines) + "\r\n\r\nok"))) {
            RawClient.Answer answer = proxy.get("/");
            assertThat(answer.statusLine()).isEqualTo("HTTP/1.1 200 Fine \u00fcbrigens");
            assertThat(answer.headers()).startsWith(lines);
            assertThat(answer.header("via")).isEqualTo("1.1 sluice");
            assertThat(answer.headers()).hasSize(lines.length + 2); // besides Via and X-Request-Id
        }
    }

    @Test
    void hopByHopHeadersAreRemovedFromARequest() throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering(OK))) {
            proxy.get("/", "Connection: keep-alive, X-Mine, x-other , TE", "connection: X-Third",
                    "X-Mine: 1", "X-OTHER: 2", "x-third: 3", "Keep-Alive: timeout=5",
                    "Proxy-Connection: keep-alive",
                    "Proxy-Authorization: Basic YTpi", "Proxy-Authenticate: Basic", "TE: gzip, trailers",
                    "Alt-Svc: h2=\":1\"", "HTTP2-Settings: AAMAAABk", "Upgrade: h2c", "Keep_Alive: 1",
                    "Transfer_Encoding: chunked", "Content.Length: 7", "X-End-To-End: 1");
            String request = proxy.origin().requests().getFirst();
            assertThat(sentBefore(request)).containsExactly("Host: shop.example", "X-End-To-End: 1");
            assertThat(linesOf(request)).contains("te: trailers", "Connection: TE");
        }
    }

    @ParameterizedTest
    @CsvSource({"100, 200", "101, 400"})
    void takesNoMoreOptionsThanThereAreFields(int options, int status) throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering(OK))) {
            assertThat(proxy.get("/", "Connection: a" + ", a".repeat(options - 1)).status())
                    .isEqualTo(status);
            assertThat(proxy.origin().connections()).isEqualTo(status == 200 ? 1 : 0);
        }
    }

    @Test
    void hopByHopHeadersAreRemovedFromAResponse() throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering("HTTP/1.1 200 OK\r\nConnection: X-Mine\r\n"
                + "Keep-Alive: timeout=5\r\nX-Mine: 1\r\nProxy-Authenticate: Basic\r\nAlt-Svc: h3=\"a\"\r\n"
                + "Proxy-Connection: close\r\nUpgrade: h2c\r\nProxy-Authentication-Info: a\r\nTE: gzip\r\n"
                + "X-Stays: 1\r\nContent-Length: 2\r\nDate: now\r\n\r\nok"))) {
            RawClient.Answer answer = proxy.get("/");
            assertThat(answer.headers()).startsWith("X-Stays: 1", "Content-Length: 2", "Date: now")
                    .hasSize(5); // includes Via and X-Request-Id
            assertThat(proxy.get("/").body()).isEqualTo("ok");
            assertThat(proxy.origin().connections()).isEqualTo(1);
        }
    }

    @Test
    void removesTheTrailersThatConnectionNames() throws IOException {
        String body = "Connection: X-Mine\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n"
                + "x-mine: 1\r\nX-Stays: 1\r\n\r\n";
        try (var proxy = ProxyBed.start(ByteOrigin.answering("HTTP/1.1 200 OK\r\n" + body));
                RawClient client = proxy.connect()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nTE: trailers\r\n" + body);
            RawClient.Answer answer = client.read();
            assertThat(answer.trailers()).containsExactly("X-Stays: 1");
            assertThat(proxy.origin().requests().getFirst()).endsWith("0\r\nX-Stays: 1\r\n\r\n");
        }
    }

    @Test
    void passesTheWebSocketThatAResponseRequires() throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering("HTTP/1.1 426 Upgrade Required\r\nConnection: "
                + "upgrade\r\nUpgrade: h2c, WebSocket\r\nContent-Length: 0\r\n\r\n"));
                RawClient client = proxy.connect()) {
            for (int i = 0; i < 2; i++) {
                RawClient.Answer answer = client.send(ProxyBed.request("GET", "/")).read();
                assertThat(answer.header("upgrade")).isEqualTo("websocket");
                assertThat(answer.header("connection")).isEqualTo("upgrade");
            }
            assertThat(proxy.origin().connections()).isEqualTo(1);
        }
    }

    /** The sender of Upgrade names it in Connection (RFC 9110 section 7.8), also beside other options. */
    @ParameterizedTest
    @CsvSource({"HTTP/1.1, close", "HTTP/1.0, close", "HTTP/1.0, keep-alive"})
    void passesTheRequiredWebSocketBesideThePersistence(String version, String persistence)
            throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering("HTTP/1.1 426 Upgrade Required\r\nConnection: "
                + "upgrade\r\nUpgrade: websocket\r\nContent-Length: 0\r\n\r\n"))) {
            assertThat(proxy.exchange("GET / " + version + "\r\nHost: a\r\nConnection: " + persistence
                    + "\r\n\r\n").headers()).map(String::toLowerCase).contains("upgrade: websocket",
                            "connection: " + persistence + ", upgrade");
        }
    }

    /** Otherwise an endpoint could answer 101 before the body has arrived. */
    @Test
    void removesTheUpgradeOfARequestWithABody() throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering(OK))) {
            assertThat(proxy.exchange("GET / HTTP/1.1\r\nHost: shop.example\r\nConnection: Upgrade\r\n"
                    + "Upgrade: websocket\r\nContent-Length: 3\r\n\r\nabc").status()).isEqualTo(200);
            assertThat(proxy.origin().requests().getFirst()).endsWith("\r\nContent-Length: 3\r\n\r\nabc")
                    .doesNotContain("Upgrade");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Host", "Forwarded, X-Forwarded-For, X-Forwarded-Proto, X-Forwarded-Host",
        "X-Request-Id, Via", "Content-Length", "Transfer-Encoding, close"})
    void connectionHeaderCannotRemoveHeadersOfTheGateway(String names) throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering(OK))) {
            String post = "POST / HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 3\r\nConnection: " + names
                    + "\r\n\r\nabc";
            assertThat(proxy.exchange(post).status()).isEqualTo(200);
            assertThat(proxy.origin().requests().getFirst()).endsWith("\r\nContent-Length: 3\r\n\r\nabc")
                    .contains("\r\nHost: shop.example\r\n", "\r\nForwarded: for=127.0.0.1;",
                            "\r\nX-Forwarded-For: 127.0.0.1\r\n", "\r\nX-Forwarded-Host: shop.example\r\n",
                            "\r\nX-Request-Id: ", "\r\nVia: 1.1 sluice\r\n");
        }
    }

    @Test
    void ofAResponseCannotTakeItsFramingAway() throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n"
                + "Connection: Content-Length, Via, Date\r\nVia: 1.1 inner\r\n\r\nok"))) {
            RawClient.Answer answer = proxy.get("/");
            assertThat(answer.body()).isEqualTo("ok");
            assertThat(answer.header("via")).isEqualTo("1.1 sluice");
            assertThat(answer.header("date")).isNotNull();
        }
    }
}
