package io.sluice.gateway.websocket;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.config.type.Method;
import io.sluice.gateway.RawClient.Answer;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.websocket.WebSocketEchoHandler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The opening handshake (RFC 6455 section 4.2), successful or answered with an error. */
class HandshakeIT {
    private static final String HELLO = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final LinkedBlockingQueue<Exchange> WAITING = new LinkedBlockingQueue<>();
    private static SocketServer server;

    @BeforeAll
    static void start() {
        var settings = new SocketSettings().subprotocols("v1.chat", "v2.chat");
        var getOnly = new WebSocketUpgrade(new WebSocketEchoHandler(), SocketServer.route("/get", settings));
        server = new SocketServer(settings, exchange -> {
            String refusal = exchange.queryParameter("refuse");
            if (refusal != null) {
                throw refusal.equals("500") ? new IllegalStateException("a test's")
                        : new HttpException(HttpResponseStatus.valueOf(Integer.parseInt(refusal)), "no");
            }
            return new WebSocketEchoHandler();
        }, route("/hello", exchange -> answer(exchange, "hello")), route("/wait", WAITING::add),
                route("/get", Set.of(Method.GET), Duration.ofSeconds(10), getOnly));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void assertOpen(RawSocket socket) throws Exception {
        assertThat(socket.send(ClientFrame.of(ClientFrame.TEXT, "open?")).read().text()).isEqualTo("open?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Upgrade: websocket", "Upgrade: WebSocket", "Upgrade: h2c, websocket",
        "Connection: Upgrade", "Connection: keep-alive, Upgrade", "Connection: upgrade,keep-alive",
        "Connection: keep-alive\r\nConnection: UPGRADE", "Content-Length: 0"})
    void equivalentHeaderSpellingsAreAccepted(String header) throws Exception {
        try (RawSocket socket = RawSocket.connect(server.port())) {
            socket.send(with(header));
            Answer answer = socket.requireUpgraded();

            assertThat(answer.statusLine()).isEqualTo("HTTP/1.1 101 Switching Protocols");
            assertThat(answer.header("upgrade")).isEqualToIgnoringCase("websocket");
            assertThat(answer.header("connection")).isEqualToIgnoringCase("upgrade");
            assertThat(answer.header("sec-websocket-accept")).isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
            assertThat(answer.header("sec-websocket-protocol")).isNull();
            assertThat(answer.header("sec-websocket-extensions")).isNull();
            assertThat(answer.header("content-length")).isNull();
            assertThat(answer.header("transfer-encoding")).isNull();
            assertThat(answer.header("x-request-id")).isNotNull();
            assertOpen(socket);
        }
    }

    /** Returns a handshake with a header replaced or added. */
    private static String with(String header) {
        String handshake = new String(RawSocket.handshake("/"), StandardCharsets.ISO_8859_1);
        String name = header.substring(0, header.indexOf(':') + 1);
        return handshake.contains(name) ? handshake.replaceFirst(name + ".*\r\n", header + "\r\n")
                : handshake.substring(0, handshake.length() - 2) + header + "\r\n\r\n";
    }

    @ParameterizedTest
    @CsvSource({"Upgrade: h2c", "Upgrade: web", "Connection: close", "Connection: keep-alive",
        "Connection: upgraded", "Sec-WebSocket-Version: 8", "Sec-WebSocket-Version: 14",
        "Sec-WebSocket-Version: ''", "'Sec-WebSocket-Version: 13, 8'", "Sec-WebSocket-Version: 013"})
    void wrongUpgradeOrVersionGets426(String header) throws Exception {
        try (RawSocket socket = RawSocket.connect(server.port())) {
            Answer answer = socket.send(with(header)).readAnswer();

            assertUpgradeRequired(answer);
            if (header.equals("Connection: close")) {
                assertThat(answer.header("connection")).isEqualToIgnoringCase("close, upgrade");
                assertThat(socket.isClosed()).isTrue();
            } else {
                assertThat(answer.header("connection")).isEqualToIgnoringCase("upgrade");
                assertGoesOn(socket);
            }
        }
    }

    private static void assertUpgradeRequired(Answer answer) {
        assertThat(answer.status()).isEqualTo(426);
        assertThat(answer.header("upgrade")).isEqualToIgnoringCase("websocket");
        assertThat(answer.header("sec-websocket-version")).isEqualTo("13");
        assertThat(answer.header("content-type")).isEqualTo("application/problem+json");
    }

    /** Checks that the connection serves another request, and a handshake. */
    private static void assertGoesOn(RawSocket socket) throws Exception {
        assertThat(socket.send(HELLO).readAnswer().body()).isEqualTo("hello");
        assertOpen(socket.upgrade("/"));
    }

    @Test
    void plainAndHttp10RequestsGet426() throws Exception {
        try (RawSocket socket = RawSocket.connect(server.port())) {
            assertUpgradeRequired(socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").readAnswer());
            assertUpgradeRequired(socket.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
                    .readAnswer());
            assertUpgradeRequired(socket.send(handshake("POST", "1.1")).readAnswer());
            assertThat(socket.send(handshake("POST", "1.1").replace(" / ", " /get ")).readAnswer().status())
                    .isEqualTo(405);
            assertUpgradeRequired(socket.send(handshake("GET", "1.0")).readAnswer());
            assertThat(socket.isClosed()).isTrue();
        }
    }

    private static String handshake(String method, String version) {
        return new String(RawSocket.handshake("/"), StandardCharsets.ISO_8859_1)
                .replace("GET", method).replace("HTTP/1.1", "HTTP/" + version);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25jZQ=", "AAAA",
        "dGhlIHNhbXBsZSBub25jZSE=", "dGhlIHNhbXBsZSBub25jZSEh", "dGhlIHNhbXBsZSBub25j!Q==",
        "dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="})
    void invalidKeyGets400(String key) throws Exception {
        assertRefused(with("Sec-WebSocket-Key: " + key), 400);
    }

    @Test
    void missingOrRepeatedHeadersAreRefused() throws Exception {
        assertRefused(with("Upgrade: x").replaceFirst("Upgrade: x\r\n", ""), 426);
        assertRefused(with("Connection: x").replaceFirst("Connection: x\r\n", ""), 426);
        assertRefused(with("Sec-WebSocket-Version: x").replaceFirst("Sec-WebSocket-Version: x\r\n", ""), 426);
        assertRefused(with("Sec-WebSocket-Key: x").replaceFirst("Sec-WebSocket-Key: x\r\n", ""), 400);
        assertRefused(with("Sec-WebSocket-Version: 13\r\nSec-WebSocket-Version: 13"), 426);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 3\r\n\r\nabc",
        "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n"})
    void handshakeWithABodyGets400(String body) throws Exception {
        String handshake = with("X: y");
        assertRefused(handshake.substring(0, handshake.length() - 2) + body
                + (body.startsWith("T") ? "\r\n" : ""), 400);
    }

    private static void assertRefused(String handshake, int status) throws Exception {
        try (RawSocket socket = RawSocket.connect(server.port())) {
            assertThat(socket.send(handshake).readAnswer().status()).isEqualTo(status);
            assertGoesOn(socket);
        }
    }

    @Test
    void refusalHasTheStatusOfTheHandler() throws Exception {
        for (int status : List.of(404, 403, 500)) {
            assertRefused(with("X: y").replace("GET / ", "GET /?refuse=" + status + ' '), status);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            v1.chat | v1.chat
            v3.chat, v2.chat, v1.chat | v2.chat
            v1.chat,v2.chat | v1.chat
            v3.chat |
            V1.CHAT |
            bearer, abc |  bearer
            bearer, abc, v2.chat | v2.chat
            """)
    void agreesOnASubprotocol(String offered, String agreed) throws Exception {
        try (RawSocket socket = RawSocket.connect(server.port())) {
            socket.send(with("Sec-WebSocket-Protocol: " + offered));
            assertThat(socket.requireUpgraded().header("sec-websocket-protocol")).isEqualTo(agreed);
            assertOpen(socket);
        }
    }

    @Test
    void agreesOnCompressionWithTheFirstOfferThatItUnderstands() throws Exception {
        try (RawSocket socket = RawSocket.connect(server.port())) {
            socket.send(with("Sec-WebSocket-Extensions: x, permessage-deflate; server_max_window_bits=7\r\n"
                    + "Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=9"));
            assertThat(socket.requireUpgraded().header("sec-websocket-extensions")).isEqualTo(
                    "permessage-deflate; server_no_context_takeover; client_no_context_takeover; "
                            + "server_max_window_bits=9");
            byte[] text = "0123456789".repeat(1000).getBytes(StandardCharsets.UTF_8);
            RawSocket.Frame echo = socket.send(ClientFrame.of(ClientFrame.TEXT, text)).read();
            assertThat(echo.isCompressed()).isTrue();
            assertThat(ClientFrame.inflated(echo.payload())).isEqualTo(text);
        }
    }

    @Test
    void takesFramesThatCameInOnePieceWithIt() throws Exception {
        try (RawSocket socket = RawSocket.connect(server.port())) {
            socket.send(RawSocket.handshake("/"), ClientFrame.of(Opcode.TEXT, "a"),
                    ClientFrame.of(ClientFrame.LAST, "b"), ClientFrame.of(ClientFrame.PING, "\r\n\r\n"));
            socket.requireUpgraded();
            assertThat(socket.read().text()).isEqualTo("ab");
            assertThat(socket.read().opcode()).isEqualTo(Opcode.PONG);
            assertOpen(socket);
        }
    }

    @Test
    void opensByteByByteAndBehindOtherRequests() throws Exception {
        try (RawSocket socket = RawSocket.connect(server.port())) {
            byte[] bytes = ClientFrame.join(HELLO.getBytes(StandardCharsets.ISO_8859_1),
                    RawSocket.handshake("/"), ClientFrame.of(ClientFrame.TEXT, "a"));
            for (byte one : bytes) {
                socket.send(new byte[] {one});
            }
            assertThat(socket.readAnswer().body()).isEqualTo("hello");
            socket.requireUpgraded();
            assertThat(socket.read().text()).isEqualTo("a");
        }
        try (RawSocket socket = RawSocket.connect(server.port())) {
            socket.send(HELLO.getBytes(StandardCharsets.ISO_8859_1), RawSocket.handshake("/"),
                    ClientFrame.of(ClientFrame.TEXT, "a"));
            assertThat(socket.readAnswer().body()).isEqualTo("hello");
            socket.requireUpgraded();
            assertThat(socket.read().text()).isEqualTo("a");
        }
    }

    /**
     * A client must wait for the answer before it sends frames (RFC 6455 section 4.1). They are accepted
     * nonetheless.
     */
    @ParameterizedTest
    @ValueSource(ints = {ClientFrame.TEXT, ClientFrame.BINARY, ClientFrame.PING})
    void opensInItsTurnWhereFramesCameWithIt(int first) throws Exception {
        try (RawSocket socket = RawSocket.connect(server.port())) {
            socket.send(HELLO.replace("hello", "wait").getBytes(StandardCharsets.ISO_8859_1),
                    RawSocket.handshake("/"), ClientFrame.of(first, "a\n"));
            answer(WAITING.take(), "done");

            assertThat(socket.readAnswer().body()).isEqualTo("done");
            socket.requireUpgraded();
            assertThat(socket.read().text()).isEqualTo("a\n");
            assertOpen(socket);
        }
    }
}
