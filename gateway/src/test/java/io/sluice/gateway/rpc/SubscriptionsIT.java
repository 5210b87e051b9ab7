package io.sluice.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.SocketClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Subscriptions to several topics over one socket. */
@Timeout(120)
class SubscriptionsIT {
    private static final String ROUTES = """
            sluice {
              server.worker-threads = 2
              tokens.alice.sha256 = "2bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90"
              topics.news { history {} }
              routes {
                rpc { path = /rpc, handler = ws-rpc, max-subscriptions = 2 }
                subscribe { path = "/ws/{topic}", handler = ws-topic, topics = news }
                secret { path = "/secret/{topic}", handler = ws-topic, topics = news, tokens = [alice] }
                publish { path = "/topics/{topic}", handler = publish, topics = news }
                text { path = /text, handler = text, text = hi }
              }
            }
            """;

    private static String id(String message) {
        return message.replaceAll(".*,\"id\":\"|\".*", "");
    }

    private static String subscribed(SocketClient socket, String message) throws Exception {
        socket.send(message);
        assertThat(socket.next()).startsWith("{\"id\":").endsWith(",\"status\":200}");
        return id(socket.next());
    }

    @Test
    void aSocketGetsTheMessagesOfSeveralTopics() throws Exception {
        try (var gateway = RunningGateway.start(ROUTES); var socket = SocketClient.connect(gateway, "/rpc")) {
            String a = subscribed(socket, "{\"id\":1,\"subscribe\":\"/ws/a\"}");
            String b = subscribed(socket, "{\"id\":\"b\",\"subscribe\":\"/ws/b\"}");
            gateway.post("/topics/a", "to \"a\"");
            assertThat(socket.next()).startsWith("{\"subscription\":1,\"id\":\"")
                    .endsWith("\",\"data\":\"to \\\"a\\\"\"}");
            gateway.post("/topics/b", "to b");
            assertThat(socket.next()).startsWith("{\"subscription\":\"b\",\"id\":\"");
            socket.send("{\"id\":3,\"subscribe\":\"/ws/c\"}");
            assertThat(socket.next()).contains("\"id\":3,\"status\":429");

            socket.send("{\"unsubscribe\":1}");
            assertThat(socket.next()).isEqualTo("{\"id\":null,\"status\":200}");
            gateway.post("/topics/a", "missed");
            socket.send("{\"id\":4,\"subscribe\":\"/ws/a\",\"after\":\"" + a + "\"}");
            assertThat(socket.next()).isEqualTo("{\"id\":4,\"status\":200}");
            assertThat(socket.next()).startsWith("{\"subscription\":4,").contains("to \\\"a");
            assertThat(socket.next()).startsWith("{\"subscription\":4,").contains("missed");
            socket.send("{\"unsubscribe\":4}").next();
            socket.send("{\"id\":4,\"subscribe\":\"/ws/a\",\"query\":{\"after\":\"" + a + "\"}}").next();
            assertThat(socket.next()).startsWith("{\"subscription\":4,").contains("to \\\"a");
            assertThat(socket.next()).startsWith("{\"subscription\":4,").contains("missed");
            socket.send("{\"unsubscribe\":4}").next();
            socket.send("{\"id\":5,\"subscribe\":\"/ws/b\",\"after\":\"x\"}").next();
            assertThat(socket.next()).startsWith("{\"subscription\":5,\"resync\":true,");
            assertThat(b).isNotEmpty();
        }
    }

    /** A long message is scanned in turns, and what is behind it is decoded while its response is sent. */
    @Test
    void aSubscriptionThatIsEndedInTheSameWriteEnds() throws Exception {
        try (var gateway = RunningGateway.start(ROUTES); RawClient client = gateway.connect()) {
            client.send("GET /rpc HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
            assertThat(client.readHead().status()).isEqualTo(101);
            String subscribe = "{\"id\":1,\"subscribe\":\"/ws/a\"" + " ".repeat(100_000) + "}";
            byte[] text = subscribe.getBytes(StandardCharsets.US_ASCII);
            byte[] end = "{\"unsubscribe\":1}".getBytes(StandardCharsets.US_ASCII);
            client.send(ByteBuffer.allocate(14 + text.length + 6 + end.length)
                    .put((byte) 0x81).put((byte) 0xFF).putLong(text.length).putInt(0).put(text)
                    .put((byte) 0x81).put((byte) (0x80 | end.length)).putInt(0).put(end).array());
            assertThat(text(client)).isEqualTo("{\"id\":1,\"status\":200}");
            assertThat(text(client)).startsWith("{\"subscription\":1,\"id\":");
            assertThat(text(client)).isEqualTo("{\"id\":null,\"status\":200}");
            assertThat(gateway.post("/topics/a", "x").body()).contains("\"subscribers\":0");
        }
    }

    /** Reads a frame of less than 126 bytes. */
    private static String text(RawClient client) throws IOException {
        return client.read(client.read(2).charAt(1));
    }

    /** A large answer is sent in turns, and others wait behind it. */
    @Test
    void messagesComeBehindTheAnswer() throws Exception {
        String large = "large { path = /large, handler = text, text = \"" + "x".repeat(900_000) + "\" }";
        try (var gateway = RunningGateway.start(ROUTES.replace("text { path", large + "\ntext { path"));
                var socket = SocketClient.connect(gateway, "/rpc")) {
            socket.send("{\"id\":1,\"path\":\"/large\"}").send("{\"id\":2,\"subscribe\":\"/ws/a\"}");
            assertThat(socket.next()).startsWith("{\"id\":1,\"status\":200");
            assertThat(socket.next()).isEqualTo("{\"id\":2,\"status\":200}");
            assertThat(socket.next()).startsWith("{\"subscription\":2,\"id\":");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"id":1,"subscribe":"/text"}                  | 404
            {"id":1,"subscribe":"/nowhere"}               | 404
            {"id":1,"subscribe":"/secret/a"}              | 401
            {"subscribe":"/ws/a"}                         | 400
            {"id":1,"subscribe":"/ws/a","method":"POST"}  | 400
            {"id":1,"path":"/text","after":"x"}           | 400
            {"id":1,"unsubscribe":7}                      | 404
            {"id":1,"unsubscribe":7,"path":"/text"}       | 400
            {"id":1,"unsubscribe":null}                   | 400
            """)
    void invalidSubscriptionsAreRefused(String message, int status) throws Exception {
        try (var gateway = RunningGateway.start(ROUTES); var socket = SocketClient.connect(gateway, "/rpc")) {
            socket.send(message);
            assertThat(socket.next()).contains("\"status\":" + status);
        }
    }

    @Test
    void theTokenOfTheSocketIsThatOfItsSubscriptions() throws Exception {
        try (var gateway = RunningGateway.start(ROUTES);
                var socket = SocketClient.connect(gateway, "/rpc", "Authorization", "Bearer alice")) {
            subscribed(socket, "{\"id\":1,\"subscribe\":\"/secret/a\"}");
            socket.send("{\"id\":1,\"subscribe\":\"/ws/a\"}");
            assertThat(socket.next()).contains("\"status\":409");
        }
    }

    @Test
    void aReloadThatRemovesTheRouteEndsTheSubscription() throws Exception {
        try (var gateway = RunningGateway.start(ROUTES); var socket = SocketClient.connect(gateway, "/rpc")) {
            subscribed(socket, "{\"id\":1,\"subscribe\":\"/ws/a\"}");
            gateway.reload(ROUTES.replace("subscribe { path", "other { path"));
            assertThat(socket.next()).isEqualTo("{\"subscription\":1,\"closed\":true}");
            gateway.post("/topics/a", "a");
            assertThat(socket.isSilent()).isTrue();
        }
    }
}
