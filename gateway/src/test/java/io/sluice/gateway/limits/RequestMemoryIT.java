package io.sluice.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.GatewayProcess;
import io.sluice.gateway.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A gateway with a small heap, and requests that are larger together. */
class RequestMemoryIT {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n";
    private static final String POST = GET.replace("GET", "POST") + "Content-Length: 9\r\n";
    private static final String HANDSHAKE = MemoryShortIT.HANDSHAKE.replace("/ws", "/rpc");
    private static final String END = "\r\n";
    private static final String WAIT = "GET /wait?ms=20000 HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String CHUNKED =
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final String FIELDS = ("X: " + "x".repeat(330) + END).repeat(80);
    private static final String LONG_FIELD = "X: " + "x".repeat(28_000) + END;

    private static final int CLIENTS = 1700;

    private static GatewayProcess gateway;

    @BeforeAll
    static void start() {
        gateway = GatewayProcess.start("""
                sluice.routes {
                  hello { path = "/", handler = text, text = hello }
                  wait { path = "/wait", handler = delay, max = 20s }
                  echo { path = "/", methods = [POST], handler = echo }
                  rpc { path = "/rpc", handler = ws-rpc }
                  events { path = "/events/{topic}", handler = events, topics = news }
                }
                sluice.topics.news {}
                """, "-Xmx64m", "-XX:MaxDirectMemorySize=64m", "-XX:+ExitOnOutOfMemoryError");
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"many fields", "a long field", "no body", "no body of an answered request",
        "no body behind a long field", "behind another request", "an unfinished one behind another",
        "unfinished trailers"})
    void clientsWhoseRequestsDoNotEndLeaveTheGatewayAlive(String kind) throws Exception {
        String request = switch (kind) {
            case "many fields" -> GET + FIELDS;
            case "a long field" -> GET + LONG_FIELD;
            case "no body" -> POST + FIELDS + END;
            case "no body of an answered request" -> POST.replace(" / ", " /unknown ") + FIELDS + END;
            case "no body behind a long field" -> POST.replace(" / ", " /unknown ") + LONG_FIELD + END;
            case "behind another request" -> WAIT + GET + FIELDS + END;
            case "an unfinished one behind another" -> WAIT + GET + LONG_FIELD;
            default -> CHUNKED + "0\r\n" + FIELDS;
        };
        try (var _ = new StubbornClients(gateway.port(), CLIENTS, bytes(request))) {
            awaitHello(); // while the clients stay
        }
        assertThat(gateway.isAlive()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"700, 200, '{\"id\":%d,\"subscribe\":\"/events/%s\"}'",
        "120, 7500, '{\"id\":%d,\"path\":\"/wait\",\"query\":{\"ms\":20000,\"a\":\"%s\"}}'"})
    void socketsWithManySubscriptionsOrRequestsLeaveTheGatewayAlive(int sockets, int length, String message)
            throws Exception {
        var clients = new ArrayList<RawClient>();
        try {
            for (int i = 0; i < sockets; i++) {
                clients.add(new RawClient(gateway.port()).send(HANDSHAKE));
            }
            for (int id = 0; id < 100; id++) {
                for (int i = 0; i < sockets; i++) {
                    String distinct = "%d-%d-".formatted(i, id) + "x".repeat(length);
                    clients.get(i).send(MemoryShortIT.frame(message.formatted(id, distinct)));
                }
            }
            // While the clients stay. What they have sent is read meanwhile.
            await().during(Duration.ofSeconds(2)).atMost(Duration.ofSeconds(15))
                    .until(() -> hello().status() == 200);
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
        assertThat(gateway.isAlive()).isTrue();
        assertThat(gateway.output()).contains("requests and subscriptions of /127.0.0.1 take");
    }

    /** They do not count, but the connections are limited. */
    @Test
    void smallHeadsOnAllConnectionsOfAnAddressLeaveTheGatewayToOthers() throws Exception {
        String few = FIELDS.substring(0, 8 * FIELDS.length() / 80);
        try (var _ = new StubbornClients(gateway.port(), 6000, bytes(GET + few))) {
            await().until(() -> statusOfOther() == 200); // 503 until the heap is collected
        }
        awaitHello();
    }

    private static int statusOfOther() throws IOException {
        try (var other = new RawClient(new Socket(InetAddress.getLoopbackAddress(), gateway.port(),
                InetAddress.ofLiteral("127.0.0.2"), 0))) {
            return other.send(GET + END).read().status();
        }
    }

    /** Netty's buffer for lines grows with them. */
    @Test
    void longFieldsOccupyNoMemoryBehindTheirRequests() throws Exception {
        try (var _ = new StubbornClients(gateway.port(), CLIENTS, bytes(GET + LONG_FIELD + END))) {
            awaitHello();
        }
        assertThat(gateway.isAlive()).isTrue();
    }

    @Test
    void connectionServesFurtherRequestsBehindLongFields() throws Exception {
        await("room after the tests before").until(() -> {
            try (var client = new RawClient(gateway.port())) {
                return client.send(GET + LONG_FIELD + END).read().status() == 200;
            }
        });
        try (var client = new RawClient(gateway.port())) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.send(GET + LONG_FIELD + END).read().status()).isEqualTo(200);
            }
            client.send((GET + LONG_FIELD + END).repeat(3));
            for (int i = 0; i < 3; i++) {
                assertThat(client.read().status()).isEqualTo(200);
            }
        }
    }

    @Test
    void heapLimitsTheNumberOfConnections() {
        assertThat(gateway.output()).containsPattern("at most \\d{1,4} connections, not 50000");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** The connections of an earlier test may still count. */
    private static void awaitHello() {
        await().ignoreExceptionsInstanceOf(SocketException.class).until(() -> hello().status() == 200);
    }

    private static RawClient.Answer hello() throws IOException {
        try (var client = new RawClient(gateway.port())) {
            return client.send(GET + END).read();
        }
    }
}
