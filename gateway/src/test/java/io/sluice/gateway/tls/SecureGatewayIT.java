package io.sluice.gateway.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.proxy.ByteOrigin;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole gateway with a TLS port and a plain port. */
class SecureGatewayIT {
    private static final String GET = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n";

    @TempDir
    private Path folder;
    private RunningGateway gateway;
    private HttpClient client;
    private ByteOrigin origin;

    @BeforeEach
    void start() throws IOException {
        origin = ByteOrigin.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        gateway = RunningGateway.start("""
                sluice.tls { hsts = 1d, %s }
                sluice.lifecycle.drain-timeout = 30s
                sluice.routes {
                  hello { path = /hello, handler = text, text = hello }
                  wait { path = /wait, handler = delay }
                  ws { path = /ws, handler = ws-echo }
                  app { path = /app, handler = proxy, upstream = app }
                }
                sluice.upstreams.app.endpoints = ["http://127.0.0.1:%d"]
                """.formatted(TestCertificates.write(folder, "a", TestCertificates.LOCALHOST),
                origin.port()));
        client = HttpClient.newBuilder().sslContext(TestCertificates.client()).build();
    }

    @AfterEach
    void stop() throws IOException {
        client.shutdownNow();
        gateway.close();
        origin.close();
    }

    @Test
    void routesAreServedOnBothPorts() throws Exception {
        HttpResponse<String> secure = client.send(HttpRequest.newBuilder(URI.create("https://localhost:"
                + gateway.tlsPort() + "/hello")).build(), HttpResponse.BodyHandlers.ofString());
        HttpResponse<String> plain = gateway.get("/hello");

        assertThat(secure.body()).isEqualTo(plain.body()).isEqualTo("hello");
        assertThat(secure.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(secure.headers().firstValue("strict-transport-security")).hasValue("max-age=86400");
        assertThat(plain.headers().firstValue("strict-transport-security")).isEmpty();
    }

    @Test
    void relayedResponsesAreForHttpsOnly() throws Exception {
        String get = GET.replace("hello", "app");
        try (RawClient secure = SecureClient.connect(gateway.tlsPort());
                RawClient plain = gateway.connect()) {
            assertThat(secure.send(get).read().header("strict-transport-security"))
                    .isEqualTo("max-age=86400");
            assertThat(plain.send(get).read().header("strict-transport-security")).isNull();
        }
    }

    @Test
    void metersHandshakes() throws Exception {
        SecureClient.connect(gateway.tlsPort()).close();
        try (var plain = new RawClient(gateway.tlsPort())) {
            assertThat(plain.send(GET).read().header("strict-transport-security")).isNull();
        }

        await().untilAsserted(() -> assertThat(gateway.getAdmin("/metrics").body())
                .contains("sluice_tls_handshake_seconds_count{version=\"TLSv1.3\"} 1")
                .contains("sluice_tls_handshake_seconds_count{version=\"TLSv1.2\"} 0")
                .contains("sluice_tls_handshakes_failed_total{reason=\"plain_http\"} 1.0")
                .contains("sluice_tls_handshakes_failed_total{reason=\"client_certificate\"} 0.0")
                .contains("sluice_tls_certificates_stale 0.0")
                .containsPattern("sluice_tls_certificate_expiry_seconds \\d\\.\\d+E9"));
    }

    @Test
    void opensWebSocketsForItsOwnPagesAndClosesThemOnDrain() throws Exception {
        String host = "localhost:" + gateway.tlsPort();
        var heard = new LinkedBlockingQueue<String>();
        WebSocket socket = client.newWebSocketBuilder().header("Origin", "https://" + host)
                .buildAsync(URI.create("wss://" + host + "/ws"), new Listener(heard)).join();
        socket.sendText("hello", true).join();
        assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("hello");
        socket.sendText("x".repeat(100_000), true).join();
        assertThat(heard.poll(30, TimeUnit.SECONDS)).hasSize(100_000);

        gateway.stop();

        assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("closed 1001");
    }

    @Test
    void drainClosesTlsConnections() throws Exception {
        int port = gateway.tlsPort();
        try (RawClient silent = SecureClient.connect(port); RawClient busy = SecureClient.connect(port);
                RawClient before = new RawClient(port)) {
            silent.send(GET).read();
            busy.send("GET /wait?ms=1000 HTTP/1.1\r\nHost: a\r\n\r\n");
            before.send(new byte[] {22});
            Thread stop = Thread.ofPlatform().start(gateway::stop);

            assertThat(busy.read().header("connection")).isEqualTo("close");
            assertThat(busy.isClosed()).isTrue();
            assertThat(silent.isClosed()).isTrue();
            assertThat(before.isClosed()).isTrue();
            stop.join();
            await("another server of the tests may have got the port").untilAsserted(() ->
                    assertThatThrownBy(() -> new RawClient(port)).isInstanceOf(ConnectException.class));
        }
    }

    @Test
    void startFailsWithInvalidKeyFile() throws IOException {
        String files = TestCertificates.write(folder, "b", TestCertificates.LOCALHOST);
        TestCertificates.write(folder.resolve("b.key"), "");

        assertThatThrownBy(() -> RunningGateway.start("sluice.tls { " + files + " }"))
                .hasMessageContaining("b.key: no private key in it");
    }

    private record Listener(BlockingQueue<String> heard, StringBuilder message)
            implements WebSocket.Listener {
        Listener(BlockingQueue<String> heard) {
            this(heard, new StringBuilder());
        }

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
            message.append(text);
            if (last) {
                heard.add(message.toString());
                message.setLength(0);
            }
            return WebSocket.Listener.super.onText(socket, text, last);
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            heard.add("closed " + code);
            return null;
        }
    }
}
