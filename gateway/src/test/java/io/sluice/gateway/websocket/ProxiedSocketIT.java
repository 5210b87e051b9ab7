package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RawClient.Answer;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.tunnel.Http;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** WebSockets through the proxy, from clients of HTTP/1.1 and HTTP/2. The endpoint is another gateway. */
class ProxiedSocketIT {
    private static final String EVIL = "Origin: http://evil.example\r\n";

    private RunningGateway endpoint;
    private RunningGateway gateway;

    @BeforeEach
    void start() {
        endpoint = RunningGateway.start("sluice.routes.ws { path = /ws, handler = ws-echo }");
        gateway = RunningGateway.start("""
                sluice {
                  upstreams.echo { endpoints = ["http://127.0.0.1:%d"] }
                  routes.proxy { path = "/**", handler = proxy, upstream = echo }
                }
                """.formatted(endpoint.port()));
    }

    @AfterEach
    void stop() {
        gateway.close();
        endpoint.close();
    }

    @ParameterizedTest
    @EnumSource(Http.class)
    void passMessagesAndTheCloseOfAClient(Http http) throws IOException {
        try (RawSocket socket = RawSocket.open(http, gateway.port(), "/ws")) {
            socket.send(ClientFrame.of(ClientFrame.TEXT, "hello"));
            assertThat(socket.read().text()).isEqualTo("hello");
            socket.send(ClientFrame.close(4711, "bye"));
            RawSocket.Frame close = socket.read();
            assertThat(close.closeCode()).isEqualTo(4711);
            assertThat(socket.isClosed()).isTrue();
        }
    }

    /** The messages are far larger than the buffers of both sides. */
    @ParameterizedTest
    @EnumSource(Http.class)
    void passLargeMessagesUnderBackPressure(Http http) throws Exception {
        String large = "x".repeat(1 << 20);
        try (RawSocket socket = RawSocket.open(http, gateway.port(), "/ws")) {
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
                try {
                    for (int i = 0; i < 20; i++) {
                        socket.send(ClientFrame.of(ClientFrame.TEXT, large));
                    }
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            for (int i = 0; i < 20; i++) {
                assertThat(socket.read().payload()).hasSize(large.length());
            }
            sending.get();
        }
    }

    @Test
    void passCompressedMessages() throws IOException {
        try (RawSocket socket = RawSocket.open(gateway.port(), "/ws", RawSocket.DEFLATE)) {
            socket.send(ClientFrame.of(ClientFrame.TEXT, "a".repeat(5000)));
            assertThat(socket.read().isCompressed()).isTrue();
        }
    }

    /** Responses with other statuses than those of errors are none of a call that has failed. */
    @Test
    void areNoCallsOfGrpcWeb() throws IOException {
        try (RawSocket socket = RawSocket.connect(gateway.port())) {
            Answer switched = socket.send(RawSocket.handshake("/ws",
                    "Content-Type: application/grpc-web\r\n")).readAnswer();
            assertThat(switched.status()).isEqualTo(101);
            assertThat(switched.header("grpc-status")).isNull();
        }
    }

    @Test
    void getTheEndpointsRefusal() throws IOException {
        try (RawSocket socket = RawSocket.connect(gateway.port())) {
            Answer refused = socket.send(RawSocket.handshake("/ws", EVIL)).readAnswer();
            assertThat(refused.status()).isEqualTo(403);
            // The connection still serves requests after the refused handshake.
            assertThat(socket.send(RawSocket.handshake("/none")).readAnswer().status()).isEqualTo(404);
        }
    }

    /** The gateway does not add what a client of HTTP/1.1 has left out. */
    @ParameterizedTest
    @ValueSource(strings = {"Connection: Upgrade", "Connection: Upgrade, Sec-WebSocket-Key"})
    void areRefusedWithoutAKeyForTheEndpoint(String connection) throws IOException {
        String key = "Sec-WebSocket-Key: " + RawSocket.KEY + "\r\n";
        String handshake = new String(RawSocket.handshake("/ws"), StandardCharsets.ISO_8859_1)
                .replace("Connection: Upgrade", connection);
        try (RawSocket socket = RawSocket.connect(gateway.port())) {
            socket.send(connection.endsWith("Key") ? handshake : handshake.replace(key, ""));
            assertThat(socket.readAnswer().status()).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @EnumSource(Http.class)
    void areClosedWith1001WhenTheGatewayDrains(Http http) throws IOException {
        try (RawSocket socket = RawSocket.open(http, gateway.port(), "/ws")) {
            socket.send(ClientFrame.of(ClientFrame.TEXT, "a"));
            socket.read();
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(gateway::stop);
            assertThat(socket.read().closeCode()).isEqualTo(1001);
            stopped.join();
        }
    }

    @Test
    void endWithTheEndpoint() throws IOException {
        try (RawSocket socket = RawSocket.open(gateway.port(), "/ws")) {
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(endpoint::stop);
            assertThat(socket.read().closeCode()).isEqualTo(1001); // the close code of the endpoint
            socket.send(ClientFrame.close(1001, ""));
            assertThat(socket.isClosed()).isTrue();
            stopped.join();
        }
    }
}
