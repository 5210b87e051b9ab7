package io.sluice.gateway.tls;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.pkitesting.X509Bundle;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import io.sluice.handlers.Exchange;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The proxy with endpoints that speak TLS. */
@Timeout(120)
class UpstreamTlsIT {
    private static final X509Bundle CLIENTS = TestCertificates.authority("clients");
    private static final Duration LONG = Duration.ofSeconds(60);
    /** The length in TLS 1.3: two bytes, their type, and the tag. The JDK's has padding. */
    private static final List<Integer> CLOSE_NOTIFY = List.of(2 + 1 + 16, 2 + 1 + 16 + 16);
    /** Bytes of an endpoint after the client's last ones; many records of TLS. */
    private static final int LATE = 300_000;

    @TempDir
    private Path folder;
    private Path ca;

    @BeforeEach
    void writeAuthority() throws IOException {
        ca = Files.writeString(folder.resolve("ca.crt"), TestCertificates.AUTHORITY.getCertificatePEM());
    }

    private RunningGateway gateway(int port, String host, String upstream) {
        return gateway("auto", port, host, upstream);
    }

    private RunningGateway gateway(String provider, int port, String host, String upstream) {
        return RunningGateway.start("""
                sluice {
                  server.worker-threads = 1
                  tls { provider = %s, reload-interval = 100ms }
                  upstreams.origin { endpoints = ["https://%s:%d"], tls.ca = "%s", retries = 0
                    connect-timeout = 30s, deadline = 60s, %s }
                  routes.proxy { path = "/**", handler = proxy, upstream = origin }
                }
                """.formatted(provider, host, port, ca, upstream));
    }

    /** Starts an endpoint that answers with the request's version of HTTP. */
    private TlsServer origin(X509Bundle certificate, String more) {
        return new TlsServer(TlsServer.config(folder,
                TestCertificates.write(folder, "origin", certificate) + ", " + more),
                route("/", exchange -> answer(exchange, exchange.request().protocolVersion().toString())));
    }

    @ParameterizedTest
    @CsvSource({"openssl, http1, HTTP/1.1", "openssl, auto, HTTP/2.0", "jdk, auto, HTTP/2.0"})
    void isVerifiedAndReused(String provider, String protocol, String version) throws Exception {
        try (TlsServer origin = origin(TestCertificates.LOCALHOST, "");
                RunningGateway gateway =
                        gateway(provider, origin.port(), "127.0.0.1", "protocol = " + protocol)) {
            for (int i = 0; i < 3; i++) {
                HttpResponse<String> answer = gateway.get("/");
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.body()).isEqualTo(version);
            }
            origin.awaitUse();
            assertThat(origin.told()).isEqualTo("TLSv1.3");
            assertThat(origin.rest()).isEmpty(); // one handshake for all requests
        }
    }

    @ParameterizedTest
    @CsvSource({"openssl, http1", "jdk, auto"})
    void isRefusedForAnotherName(String provider, String protocol) throws Exception {
        try (TlsServer origin = origin(TestCertificates.server("other.example"), "");
                RunningGateway gateway =
                        gateway(provider, origin.port(), "localhost", "protocol = " + protocol);
                RunningGateway expecting = gateway(provider, origin.port(), "localhost",
                        "tls.server-name = other.example, protocol = " + protocol)) {
            assertThat(gateway.get("/").statusCode()).isEqualTo(502);
            assertThat(expecting.get("/").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void isRefusedForAnotherAuthority() throws Exception {
        Files.writeString(ca, TestCertificates.authority("not-trusted").getCertificatePEM());
        try (TlsServer origin = origin(TestCertificates.LOCALHOST, "");
                RunningGateway gateway = gateway(origin.port(), "localhost", "")) {
            HttpResponse<String> answer = gateway.get("/");
            assertThat(answer.statusCode()).isEqualTo(502);
            assertThat(answer.body()).contains("the upstream cannot be reached");
            TestCertificates.write(ca, TestCertificates.AUTHORITY.getCertificatePEM());
            await().atMost(LONG).until(() -> gateway.get("/").statusCode() == 200);
        }
    }

    @Test
    void showsItsCertificateAndFollowsItsFile() throws Exception {
        Path clients = Files.writeString(folder.resolve("clients.crt"), CLIENTS.getCertificatePEM());
        X509Bundle stranger = TestCertificates.client(TestCertificates.authority("clients"));
        try (TlsServer origin = origin(TestCertificates.LOCALHOST,
                     "client-certificates = required, client-authorities = \"" + clients + '"');
                RunningGateway gateway = gateway(origin.port(), "localhost",
                        "tls { " + TestCertificates.write(folder, "client", stranger) + " }")) {
            assertThat(gateway.get("/").statusCode()).isEqualTo(502);
            TestCertificates.write(folder, "client", TestCertificates.client(CLIENTS));
            await().atMost(LONG).until(() -> gateway.get("/").statusCode() == 200);
        }
    }

    /** As after an issuer has lost its trust, or a key its secrecy. */
    @ParameterizedTest
    @ValueSource(strings = {"http1", "auto"})
    void closesConnectionsOfFormerFilesBehindTheirRequests(String protocol) throws Exception {
        var held = new LinkedBlockingQueue<Exchange>();
        try (TlsServer origin = new TlsServer(
                     TlsServer.config(folder,
                             TestCertificates.write(folder, "origin", TestCertificates.LOCALHOST)),
                     route("/", exchange -> answer(exchange, "early")), route("/held", held::add));
                RunningGateway gateway = gateway(origin.port(), "localhost", "protocol = " + protocol)) {
            assertThat(gateway.get("/").statusCode()).isEqualTo(200);
            CompletableFuture<HttpResponse<String>> late = gateway.client().sendAsync(
                    gateway.request("/held").build(), HttpResponse.BodyHandlers.ofString());
            Exchange exchange = held.take();
            assertThat(gateway.get("/").statusCode()).isEqualTo(200);

            TestCertificates.write(ca, TestCertificates.authority("not-trusted").getCertificatePEM());
            await().atMost(LONG).until(() -> gateway.get("/").statusCode() == 502);
            exchange.eventLoop().execute(() -> answer(exchange, "late"));
            assertThat(late.get().body()).isEqualTo("late");
            await().atMost(LONG).until(() -> origin.http().connections().count() == 0);
        }
    }

    @Test
    void endsTheHandshakeWithinTheConnectTimeout() throws Exception {
        try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                RunningGateway gateway =
                        gateway(silent.getLocalPort(), "localhost", "connect-timeout = 200ms")) {
            assertThat(gateway.get("/").statusCode()).isEqualTo(502);
        }
    }

    /** Without close_notify, an attacker may have cut off the response (RFC 8446 section 6.1). */
    @ParameterizedTest
    @CsvSource({"openssl, true", "openssl, false", "jdk, true", "jdk, false"})
    void endsAResponseByCloseNotifyOnly(String provider, boolean notifies) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(TestCertificates.LOCALHOST.toKeyManagerFactory().getKeyManagers(), null,
                new SecureRandom());
        try (var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                RunningGateway gateway = gateway(provider, listener.getLocalPort(), "localhost", "")) {
            CompletableFuture<Void> serving = CompletableFuture.runAsync(
                    () -> serve(context, listener, notifies), Thread::startVirtualThread);
            try (var client = gateway.connect()) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(ended(client)).isEqualTo(notifies);
            }
            serving.get();
        }
    }

    /** An endpoint may send its last messages after those of the client, which has closed its half. */
    @ParameterizedTest
    @ValueSource(strings = {"openssl", "jdk"})
    void closesOneHalfOfAWebSocketByCloseNotify(String provider) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(TestCertificates.LOCALHOST.toKeyManagerFactory().getKeyManagers(), null,
                new SecureRandom());
        try (var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                var tap = new TlsTap(listener.getLocalPort());
                RunningGateway gateway = gateway(provider, tap.port(), "localhost", "protocol = http1")) {
            CompletableFuture<String> serving = CompletableFuture.supplyAsync(
                    () -> switchProtocol(context, listener), Thread::startVirtualThread);
            try (var client = gateway.connect()) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n");
                assertThat(client.read().status()).isEqualTo(101);
                client.send("last").socket().shutdownOutput();
                assertThat(serving.get()).isEqualTo("last");
                assertThat(tap.ofClient().getLast().length()).isIn(CLOSE_NOTIFY);
                assertThat(client.read(LATE)).isEqualTo("x".repeat(LATE));
                assertThat(client.isClosed()).isTrue();
            }
        }
    }

    /** Responds with 101, reads until close_notify, and then sends bytes; returns what it has read. */
    private static String switchProtocol(SSLContext context, ServerSocket listener) {
        try (Socket plain = listener.accept()) {
            var socket = (SSLSocket) context.getSocketFactory().createSocket(plain, null, true);
            socket.setUseClientMode(false);
            var request = new StringBuilder();
            while (request.indexOf("\r\n\r\n") < 0) {
                request.append((char) socket.getInputStream().read());
            }
            socket.getOutputStream().write(("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"
                    + "Upgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            byte[] read = socket.getInputStream().readAllBytes();
            socket.getOutputStream().write("x".repeat(LATE).getBytes(StandardCharsets.US_ASCII));
            socket.close();
            return new String(read, StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean ended(RawClient client) throws IOException {
        try {
            RawClient.Answer answer = client.read();
            assertThat(answer.status()).isEqualTo(200);
            return answer.body().equals("part");
        } catch (EOFException | SocketException e) {
            return false;
        }
    }

    /** Answers one request with a body of unknown length in two parts. */
    private static void serve(SSLContext context, ServerSocket listener, boolean notifies) {
        try (Socket plain = listener.accept()) {
            var socket = (SSLSocket) context.getSocketFactory().createSocket(plain, null, true);
            socket.setUseClientMode(false);
            socket.getInputStream().read();
            socket.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write("part".getBytes(StandardCharsets.US_ASCII));
            if (notifies) {
                socket.close();
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
