package io.sluice.gateway.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessIT {
    private static final String ALICE = "alice-4f1c09b2";
    private static final String BOB = "bob-77ad31e0";
    private static final String WRONG = "nobody-0b6e51f3";
    private static final String HANDSHAKE = "Connection: Upgrade\r\nUpgrade: websocket\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    private static RunningGateway gateway;

    private EveryLogLine log;

    @BeforeAll
    static void start() {
        gateway = RunningGateway.start("""
                sluice {
                  tokens { alice.sha256 = %s, bob.sha256 = %s }
                  log { access = all, level = trace }
                  upstreams.nobody.endpoints = ["http://127.0.0.1:1"]
                  routes {
                    proxied { path = /proxied, handler = proxy, upstream = nobody, tokens = [alice] }
                    closed { path = /closed, methods = [GET, POST], handler = text, text = in
                             tokens = [alice], max-body = 1KiB }
                    socket { path = /socket, handler = ws-echo, tokens = [alice] }
                    open { path = /open, handler = text, text = hi }
                    index { path = /index, handler = index }
                  }
                }
                """.formatted(TokensTest.sha256(ALICE), TokensTest.sha256(BOB)));
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @BeforeEach
    void listen() {
        log = new EveryLogLine();
    }

    /** No line of any log contains a token that a test has sent. */
    @AfterEach
    void requireNoTokenInTheLog() {
        // The access log is written after the answer.
        await().untilAsserted(() -> assertThat(log.text()).contains("\"status\":"));
        log.close();
        assertThat(log.text()).doesNotContain(ALICE, BOB, WRONG, "access_token", "WRONG",
                TokensTest.sha256(ALICE), TokensTest.sha256(BOB));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            Authorization: Bearer ALICE                          | 200 | -
            authorization: bearer ALICE                          | 200 | -
            X: x                                                 | 401 | ``
            Authorization: Basic YWxpY2U6eA==                    | 401 | ``
            Authorization: Bearer WRONG                          | 401 | invalid_token
            Authorization: Bearer                                | 401 | invalid_token
            Authorization: Bearer BOB                            | 403 | insufficient_scope
            Authorization: Bearer ALICE~Authorization: Basic YQ== | 400 | invalid_request
            Authorization: Bearer ALICE~Authorization: Bearer ALICE | 400 | invalid_request
            Sec-WebSocket-Protocol: bearer, ALICE                | 401 | ``
            """, quoteCharacter = '`')
    void tokenIsReadFromTheHeader(String headers, int status, String error) throws IOException {
        assertAnswer("/closed", headers, status, error);
        // A token in the query does not count, be it valid or not.
        assertAnswer("/closed?access_token=ALICE", headers, status, error);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            /socket                    | Authorization: Bearer ALICE           | 101 | -
            /socket                    | Sec-WebSocket-Protocol: bearer, ALICE | 101 | -
            /socket?access_token=ALICE | X: x                                  | 101 | -
            /socket                    | X: x                                  | 401 | ``
            /socket                    | Sec-WebSocket-Protocol: v1, ALICE     | 401 | ``
            /socket                    | Sec-WebSocket-Protocol: bearer, WRONG | 401 | invalid_token
            /socket?access_token=WRONG | X: x                                  | 401 | invalid_token
            /socket                    | Sec-WebSocket-Protocol: bearer, BOB   | 403 | insufficient_scope
            /socket?access_token=BOB   | X: x                                  | 403 | insufficient_scope
            /socket?access_token=ALICE | Authorization: Bearer ALICE           | 400 | invalid_request
            /socket?access_token=ALICE | Sec-WebSocket-Protocol: bearer, ALICE | 400 | invalid_request
            /socket?access_token=ALICE&access_token=BOB | X: x                 | 400 | invalid_request
            /open?access_token=ALICE   | Authorization: Bearer WRONG           | 200 | -
            /proxied                   | Authorization: Bearer ALICE           | 502 | -
            /proxied                   | Sec-WebSocket-Protocol: bearer, ALICE | 502 | -
            /proxied?access_token=ALICE | X: x                                 | 502 | -
            /proxied?access_token=BOB  | X: x                                  | 403 | insufficient_scope
            /proxied                   | X: x                                  | 401 | ``
            """, quoteCharacter = '`')
    void handshakeTokenMayBeElsewhere(String target, String headers, int status, String error)
            throws IOException {
        assertAnswer(target, HANDSHAKE + headers, status, error);
    }

    @ParameterizedTest
    @CsvSource({"/closed?access_token=ALICE, X: x", "/closed, 'Sec-WebSocket-Protocol: bearer, ALICE'"})
    void aRouteThatOpensNoSocketTakesNoHandshake(String target, String headers) throws IOException {
        assertAnswer(target, HANDSHAKE + headers, 401, "");
    }

    private static void assertAnswer(String target, String headers, int status, String error)
            throws IOException {
        try (RawClient client = gateway.connect()) {
            RawClient.Answer answer = client.send(head("GET", target, headers) + "\r\n").read();
            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.header("WWW-Authenticate")).isEqualTo(error == null ? null
                    : "Bearer realm=\"sluice\"" + (error.isEmpty() ? "" : ", error=\"" + error + '"'));
            if (status >= 400) {
                assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
                assertThat(answer.body()).contains("\"status\":" + status)
                        .doesNotContain(ALICE, BOB, WRONG, "alice", "bob");
            }
            if (status != 101) {
                client.send(head("GET", "/open", "X: x") + "\r\n");
                assertThat(client.read().status()).isEqualTo(200);
            }
        }
    }

    @Test
    void unauthorizedBodyIsSkipped() throws IOException {
        try (RawClient client = gateway.connect()) {
            client.send(head("POST", "/closed", "Content-Length: 5") + "\r\nhello");
            assertThat(client.read().status()).isEqualTo(401);
            client.send(head("POST", "/closed", "Transfer-Encoding: chunked") + "\r\n5\r\nhello\r\n");
            assertThat(client.read().status()).isEqualTo(401);
            client.send("0\r\n\r\n" + head("POST", "/closed", "Authorization: Bearer ALICE") + "\r\n");
            assertThat(client.read().body()).isEqualTo("in");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Content-Length: 5~Expect: 100-continue
            Content-Length: 70000
            """)
    void unauthorizedUploadClosesTheConnection(String headers) throws IOException {
        try (RawClient client = gateway.connect()) {
            RawClient.Answer answer = client.send(head("POST", "/closed", headers) + "\r\n").read();
            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.header("Connection")).isEqualTo("close");
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void headRequiresTheTokenOfGet() throws IOException {
        try (RawClient client = gateway.connect()) {
            RawClient.Answer answer = client.send(head("HEAD", "/closed", "X: x") + "\r\n").readHead();
            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"sluice\"");
            client.send(head("HEAD", "/closed", "Authorization: Bearer ALICE") + "\r\n");
            assertThat(client.readHead().status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({"OPTIONS, /closed, 204", "DELETE, /closed, 405", "GET, /closed/x, 404"})
    void unroutedRequestsNeedNoToken(String method, String target, int status) throws IOException {
        try (RawClient client = gateway.connect()) {
            assertThat(client.send(head(method, target, "X: x") + "\r\n").read().status()).isEqualTo(status);
        }
    }

    @Test
    void tokenNamesAreShownOnTheAdminPortOnly() throws Exception {
        assertThat(gateway.getAdmin("/routes").body()).contains("\"tokens\":[\"alice\"]", "\"tokens\":[]");
        assertThat(gateway.get("/index").body()).contains("/closed").doesNotContain("alice");
    }

    /** Returns a request. Names of tokens stand for the tokens, and a tilde stands for CRLF. */
    private static String head(String method, String target, String headers) {
        return (method + ' ' + target + " HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n").replace("~", "\r\n")
                .replace("ALICE", ALICE).replace("BOB", BOB).replace("WRONG", WRONG);
    }
}
