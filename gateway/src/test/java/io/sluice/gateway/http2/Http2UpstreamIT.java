package io.sluice.gateway.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RawClient.Answer;
import io.sluice.gateway.RunningGateway;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The proxy with endpoints that speak HTTP/2 without TLS. Netty's client begins with stream 3. */
@Timeout(120)
class Http2UpstreamIT {
    private static final int MAX_CONCURRENT_STREAMS = 3;
    private static final String END = "\r\nHost: a\r\n\r\n";

    private FrameOrigin origin;
    private RunningGateway gateway;

    @BeforeEach
    void start() throws IOException {
        origin = new FrameOrigin();
        gateway = gateway(origin.port(), "");
    }

    private static RunningGateway gateway(int port, String more) {
        return RunningGateway.start("""
                sluice {
                  server.worker-threads = 1
                  upstreams.origin { endpoints = ["http://127.0.0.1:%d"], protocol = h2c %s }
                  routes.proxy { path = "/**", handler = proxy, upstream = origin }
                }
                """.formatted(port, more));
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        origin.close();
    }

    @Test
    void passesHeadsAndSmallBodiesBothWays() throws IOException {
        try (RawClient client = gateway.connect()) {
            client.send("POST /a%20b?c=d HTTP/1.1\r\nHost: shop\r\nContent-Length: 5\r\nX-Own: 1\r\n"
                    + "Connection: X-Hop\r\nX-Hop: 1\r\nTE: trailers\r\n\r\nhello");
            FrameClient connection = origin.accept();
            Frame head = connection.await(Frame.HEADERS, 3);
            assertThat(connection.headers(head)).containsEntry(":method", "POST")
                    .containsEntry(":scheme", "http")
                    .containsEntry(":path", "/a%20b?c=d").containsEntry(":authority", "shop")
                    .containsEntry("x-own", "1").containsEntry("te", "trailers")
                    .containsEntry("content-length", "5")
                    .doesNotContainKeys("host", "connection", "x-hop", "transfer-encoding");
            assertThat(connection.body(3)).asString().isEqualTo("hello");
            connection.send(FrameClient.headers(3, false, ":status", "103", "link", "</a>"));
            assertThat(client.read().status()).isEqualTo(103);
            connection.send(FrameOrigin.answer(3, "answer", "x-origin", "1"));
            Answer answer = client.read();
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("x-origin")).isEqualTo("1");
            // The origin sent no length. The gateway had the whole answer before it wrote it, and added the
            // length.
            assertThat(answer.header("content-length")).isEqualTo("6");
            assertThat(answer.body()).isEqualTo("answer");
        }
    }

    @Test
    void changesHeadersBothWays() throws IOException {
        try (var changing = RunningGateway.start("""
                sluice {
                  upstreams.origin { endpoints = ["http://127.0.0.1:%d"], protocol = h2c }
                  routes.proxy {
                    path = "/**", handler = proxy, upstream = origin
                    request-headers { set.X-Tenant = blue, remove = [Cookie] }
                    response-headers { set.X-Frame-Options = DENY, remove = [Server] }
                  }
                }
                """.formatted(origin.port())); RawClient client = changing.connect()) {
            client.send("GET / HTTP/1.1\r\nCookie: a\r\nX_TENANT: red" + END);
            FrameClient connection = origin.accept();
            assertThat(connection.headers(connection.await(Frame.HEADERS, 3)))
                    .containsEntry("x-tenant", "blue").doesNotContainKeys("cookie", "x_tenant");
            connection.send(FrameOrigin.answer(3, "answer", "server", "origin", "x-frame-options", "A"));
            Answer answer = client.read();
            assertThat(answer.header("x-frame-options")).isEqualTo("DENY");
            assertThat(answer.header("server")).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource({"HEAD, 200", "GET, 204", "GET, 304"})
    void passesAnswersWithoutABody(String method, int status) throws IOException {
        try (RawClient client = gateway.connect()) {
            client.send(method + " / HTTP/1.1" + END);
            FrameClient connection = origin.accept();
            connection.await(Frame.HEADERS, 3);
            connection.send(status == 204
                    ? FrameClient.headers(3, true, ":status", "204")
                    : FrameClient.headers(3, true, ":status", "" + status, "content-length", "7"));
            Answer answer = client.readHead();
            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.header("content-length")).isEqualTo(status == 204 ? null : "7");
            client.send("GET / HTTP/1.1" + END); // a further request shows that the connection is in sync
            connection.await(Frame.HEADERS, 5);
            connection.send(FrameOrigin.answer(5, "next"));
            assertThat(client.read().body()).isEqualTo("next");
        }
    }

    @Test
    void opensAnotherConnectionBeyondTheEndpointsLimitOfStreams() throws IOException {
        try (RawClient one = gateway.connect(); RawClient two = gateway.connect()) {
            one.send("GET /1 HTTP/1.1" + END);
            FrameClient first = origin.accept(MAX_CONCURRENT_STREAMS, 1);
            first.await(Frame.HEADERS, 3);
            two.send("GET /2 HTTP/1.1" + END);
            FrameClient second = origin.accept(MAX_CONCURRENT_STREAMS, 1);
            second.await(Frame.HEADERS, 3);
            second.send(FrameOrigin.answer(3, "two"));
            assertThat(two.read().body()).isEqualTo("two");
            first.send(FrameOrigin.answer(3, "one"));
            assertThat(one.read().body()).isEqualTo("one");
            // the oldest connection serves it, so that the other one may become idle
            two.send("GET /3 HTTP/1.1" + END);
            first.await(Frame.HEADERS, 5);
        }
    }

    @Test
    void servesWaitingRequestsWhenAStreamEnds() throws IOException {
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            clients.add(gateway.connect().send("GET / HTTP/1.1" + END));
        }
        FrameClient connection = origin.accept(MAX_CONCURRENT_STREAMS, 1);
        for (int stream = 3; stream <= 7; stream += 2) { // the second connection is never accepted
            connection.await(Frame.HEADERS, stream);
            connection.send(FrameOrigin.answer(stream, "answer"));
        }
        for (RawClient client : clients) {
            assertThat(client.read().body()).isEqualTo("answer");
            client.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x-a: 1", ":status: 200, X-A: 1", ":status: 200, connection: close",
        ":status: 2x0", ":status: 200, :status: 200", "x-a: 1, :status: 200", ":status: 101",
        ":status: 200, content-length: 2", ":status: 200, content-length: 4, content-length: 4",
        ":status: 200, :path: /", ":status: 200, x-a: a\rb"})
    void answers502ToMalformedResponses(String head) throws IOException {
        String[] fields = Arrays.stream(head.split(", "))
                .flatMap(field -> {
                    int colon = field.indexOf(": ", 1);
                    return Stream.of(field.substring(0, colon), field.substring(colon + 2));
                }).toArray(String[]::new);
        try (RawClient client = gateway.connect()) {
            client.send("GET / HTTP/1.1" + END);
            FrameClient connection = origin.accept();
            connection.await(Frame.HEADERS, 3);
            connection.send(FrameClient.headers(3, false, fields), FrameClient.data(3, true, "body"));
            assertThat(client.read().status()).isEqualTo(502);
            assertThat(connection.resetOf(3)).isEqualTo(Frame.PROTOCOL_ERROR);
            client.send("GET / HTTP/1.1" + END); // the connection goes on serving other streams
            connection.await(Frame.HEADERS, 5);
            connection.send(FrameOrigin.answer(5, "next"));
            assertThat(client.read().body()).isEqualTo("next");
        }
    }

    @Test
    void cutsOffAResponseWithoutItsEnd() throws IOException {
        try (RawClient client = gateway.connect()) {
            client.send("GET / HTTP/1.1" + END);
            FrameClient connection = origin.accept();
            connection.await(Frame.HEADERS, 3);
            connection.send(FrameClient.headers(3, false, ":status", "200"),
                    FrameClient.data(3, false, "part"));
            byte[] begun = client.socket().getInputStream().readNBytes(1);
            assertThat(begun).asString().isEqualTo("H");
            connection.close();
            assertThatThrownBy(() -> client.socket().getInputStream().readAllBytes())
                    .hasMessageContaining("reset");
        }
    }

    @Test
    void cancelsTheStreamOfAClientThatLeavesAndKeepsTheConnection() throws IOException {
        try (RawClient stays = gateway.connect()) {
            stays.send("GET / HTTP/1.1" + END);
            FrameClient connection = origin.accept();
            connection.await(Frame.HEADERS, 3);
            connection.send(FrameOrigin.answer(3, "answer")); // behind the SETTINGS of both sides
            assertThat(stays.read().body()).isEqualTo("answer");

            RawClient leaves = gateway.connect().send("GET / HTTP/1.1" + END);
            connection.await(Frame.HEADERS, 5);
            leaves.close();
            assertThat(connection.resetOf(5)).isEqualTo(Frame.CANCEL);
            byte[] asked = connection.await(Frame.PING, 0).payload(); // checks that the endpoint is alive
            connection.send(new Frame(Frame.PING, Frame.ACK, 0, asked));

            stays.send("GET / HTTP/1.1" + END);
            connection.await(Frame.HEADERS, 7);
            connection.send(FrameOrigin.answer(7, "answer"));
            assertThat(stays.read().body()).isEqualTo("answer");
        }
    }

    @Test
    void closesIdleConnections() throws IOException {
        try (RunningGateway impatient = gateway(origin.port(), ", keep-alive = 200ms");
                RawClient client = impatient.connect()) {
            client.send("GET / HTTP/1.1" + END);
            FrameClient connection = origin.accept();
            connection.await(Frame.HEADERS, 3);
            connection.send(FrameOrigin.answer(3, "answer"));
            assertThat(client.read().body()).isEqualTo("answer");
            assertThat(connection.goAway()).isEqualTo(Frame.NO_ERROR);
        }
    }

    @Test
    void answers502WhereTheEndpointSpeaksNoHttp2() throws Exception {
        try (var other = new ServerSocket(0); RunningGateway wrong = gateway(other.getLocalPort(), "")) {
            CompletableFuture<Void> serving = CompletableFuture.runAsync(() -> {
                try {
                    for (int attempt = 0; attempt < 2; attempt++) {
                        try (Socket accepted = other.accept()) {
                            accepted.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes());
                            accepted.getInputStream().readAllBytes();
                        }
                    }
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }, Thread::startVirtualThread);
            assertThat(wrong.get("/").statusCode()).isEqualTo(502);
            serving.get();
        }
    }
}
