package io.sluice.gateway.proxy;

import static io.sluice.gateway.proxy.ProxyBed.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RawClient;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers that a route sets and removes in proxied requests and responses. */
class HeaderChangesIT {
    private static final String REQUEST = """
            sluice.routes.all.request-headers {
              set { X-Tenant = blue, X-Forwarded-Prefix = /shop }, remove = [Cookie, X-Forwarded-For]
            }
            """;
    private static final String RESPONSE = """
            sluice.routes.all.response-headers { set.X-Frame-Options = DENY, remove = [Server, X-Debug] }
            """;
    private static final String FIELDS = "server: origin\r\nX-Debug: 1\r\nX-Kept: 1\r\nx-frame-options: A\r\n"
            + "X-Frame-Options: B\r\nDate: now\r\n";

    /** CGI-like servers do not distinguish X_Tenant from X-Tenant. */
    @Test
    void replaceWhatAClientSendsInAnySpelling() throws IOException {
        try (var proxy = ProxyBed.start(REQUEST,
                ByteOrigin.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))) {
            proxy.exchange("POST / HTTP/1.1\r\nHost: a\r\nX-TENANT: red\r\nX_Tenant: red\r\nCookie: a=1\r\n"
                    + "cookie: b=2\r\nX-Kept: 1\r\nX.Tenant: red\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "1\r\na\r\n0\r\nX-Tenant: red\r\nX-Sum: 7\r\n\r\n");
            assertThat(proxy.origin().requests().getFirst())
                    .containsOnlyOnce("Tenant").containsOnlyOnce("X-Tenant: blue\r\n")
                    .contains("\r\nX-Kept: 1\r\n", "\r\nX-Forwarded-Prefix: /shop\r\n", "\r\nX-Sum: 7\r\n",
                            "\r\nForwarded: ")
                    .doesNotContainIgnoringCase("red", "cookie", "X-Forwarded-For:");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 2\r\n\r\nok", "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n"
            + "0\r\nX-Debug: 1\r\nX-Sum: 7\r\n\r\n"})
    void holdForWholeAndStreamedResponses(String body) throws IOException {
        try (var proxy = ProxyBed.start(RESPONSE, ByteOrigin.answering("HTTP/1.1 103 Early\r\nX-Debug: 1\r\n"
                + "Link: </a>\r\n\r\nHTTP/1.1 200 OK\r\n" + FIELDS + body));
                RawClient client = proxy.connect().send(request("GET", "/"))) {
            assertThat(client.read().headers()).containsExactly("Link: </a>");
            RawClient.Answer answer = client.read();
            assertThat(answer.headers()).startsWith("X-Kept: 1", "Date: now");
            assertThat(answer.header("x-frame-options")).isEqualTo("DENY");
            assertThat(answer.header("server")).isNull();
            assertThat(answer.header("x-debug")).isNull();
            assertThat(answer.body()).isEqualTo("ok");
            assertThat(answer.trailers()).isEqualTo(
                    body.startsWith("T") ? List.of("X-Sum: 7") : List.of());
        }
    }

    @Test
    void holdForHandshakesOfWebSockets() throws IOException {
        try (var proxy = ProxyBed.start(REQUEST + RESPONSE, ByteOrigin.playing(origin -> {
            origin.head();
            origin.send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n" + FIELDS + "\r\n").hold();
        })); RawClient client = proxy.connect().send(request("GET", "/", "Connection: Upgrade",
                "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Cookie: a=1",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="))) {
            RawClient.Answer answer = client.readHead();
            assertThat(answer.status()).isEqualTo(101);
            assertThat(answer.header("x-frame-options")).isEqualTo("DENY");
            assertThat(answer.header("x-debug")).isNull();
            assertThat(answer.header("sec-websocket-accept")).isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
            assertThat(proxy.origin().requests().getFirst()).contains("\r\nX-Tenant: blue\r\n",
                    "\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n").doesNotContain("Cookie");
        }
    }
}
