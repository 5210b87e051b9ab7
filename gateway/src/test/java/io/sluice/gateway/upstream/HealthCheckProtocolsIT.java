package io.sluice.gateway.upstream;

import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.routing.Route;
import io.sluice.gateway.tls.TestCertificates;
import io.sluice.gateway.tls.TlsServer;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.upstream.EndpointStats;
import io.sluice.handlers.upstream.EndpointStats.State;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Active health checks of endpoints that speak TLS or HTTP/2. */
@Timeout(300)
class HealthCheckProtocolsIT {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int GOAWAY = 7;
    private static final String SETTINGS_FRAME = "000000040000000000";
    /** The frame of a head with status 200, behind which a body follows. */
    private static final String HEAD_FRAME = "00000101040000000388";

    /** The version of HTTP of each check. */
    private final List<String> checks = new CopyOnWriteArrayList<>();
    private volatile int status = 200;
    @TempDir
    private Path folder;
    private Path ca;

    @BeforeEach
    void writeAuthority() throws IOException {
        ca = Files.writeString(folder.resolve("ca.crt"), TestCertificates.AUTHORITY.getCertificatePEM());
    }

    private RunningGateway gateway(String url, String protocol, String more) {
        return RunningGateway.start("""
                sluice {
                  upstreams.shop {
                    endpoints = ["%s"], protocol = %s
                    health { path = /healthz, interval = 100ms, timeout = 10s }
                    %s
                  }
                  routes.proxy { path = "/**", handler = proxy, upstream = shop }
                }
                """.formatted(url, protocol, more));
    }

    private RunningGateway secureGateway(int port, String protocol, String more) {
        return gateway("https://localhost:" + port, protocol, "tls.ca = \"" + ca + "\", " + more);
    }

    private TlsServer secureOrigin(String name) {
        return new TlsServer(TlsServer.config(folder,
                TestCertificates.write(folder, "origin", TestCertificates.server(name))), checked());
    }

    private Route checked() {
        return route("/healthz", exchange -> {
            checks.add(exchange.request().protocolVersion().toString());
            respond(exchange);
        });
    }

    private void respond(Exchange exchange) {
        var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status));
        if (status == 415) {
            response.headers().set("grpc-status", "3");
        }
        exchange.respond(response);
    }

    private static void awaitState(RunningGateway gateway, State state) {
        await().atMost(LIMIT).untilAsserted(() -> assertThat(gateway.upstream("shop").endpoints())
                .extracting(EndpointStats::state).containsExactly(state));
    }

    private void assertFollowed(RunningGateway gateway, String version) {
        await().atMost(LIMIT).until(() -> !checks.isEmpty());
        status = 503;
        awaitState(gateway, State.DOWN);
        status = 204;
        awaitState(gateway, State.UP);
        assertThat(checks).containsOnly(version);
    }

    @ParameterizedTest
    @CsvSource({"http1, HTTP/1.1", "auto, HTTP/2.0"})
    void askForThePathOverTls(String protocol, String version) {
        try (TlsServer origin = secureOrigin("localhost");
                RunningGateway gateway = secureGateway(origin.port(), protocol, "")) {
            assertFollowed(gateway, version);
        }
    }

    @Test
    void askForThePathOverHttp2() {
        try (HandlerServer origin = HandlerServer.start(checked());
                RunningGateway gateway = gateway("http://127.0.0.1:" + origin.port(), "h2c", "")) {
            assertFollowed(gateway, "HTTP/2.0");
        }
    }

    /** A server of gRPC serves no GET: any response of it shows that it works. */
    @Test
    void passWithAResponseOfGrpc() {
        status = 415;
        try (HandlerServer origin = HandlerServer.start(checked());
                RunningGateway gateway = gateway("http://127.0.0.1:" + origin.port(), "h2c", "")) {
            await().atMost(LIMIT).until(() -> checks.size() > 3); // would be down after three
            awaitState(gateway, State.UP);
            status = 404;
            awaitState(gateway, State.DOWN);
            status = 415;
            awaitState(gateway, State.UP);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http1", "auto"})
    void failIfTheCertificateIsNotValid(String protocol) {
        try (TlsServer origin = secureOrigin("other.example");
                RunningGateway gateway = secureGateway(origin.port(), protocol, "")) {
            awaitState(gateway, State.DOWN);
            assertThat(checks).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void failIfTheEndpointIsSilent(boolean secure) throws Exception {
        try (var silent = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress());
                RunningGateway gateway = secure
                        ? secureGateway(silent.getLocalPort(), "auto", "health.timeout = 100ms")
                        : gateway("http://127.0.0.1:" + silent.getLocalPort(), "h2c",
                                "health.timeout = 100ms")) {
            awaitState(gateway, State.DOWN);
        }
    }

    /**
     * Serves the connection of a check with a response that does not end, or none if it is empty.
     *
     * @return whether the check, which has sent its request, has closed the connection without a wait
     */
    private static boolean isClosedAtOnce(ServerSocket server, String response) throws IOException {
        try (Socket socket = server.accept()) {
            socket.setSoTimeout((int) LIMIT.toMillis());
            var in = new DataInputStream(socket.getInputStream());
            in.skipNBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".length());
            send(socket, SETTINGS_FRAME);
            var types = new ArrayList<Integer>();
            long closing = 0;
            for (byte[] head = in.readNBytes(9); head.length == 9; head = in.readNBytes(9)) {
                int type = head[3];
                in.skipNBytes(ByteBuffer.wrap(head).getInt() >>> 8);
                types.add(type);
                if (type == HEADERS) {
                    send(socket, response);
                } else if (type == GOAWAY) {
                    closing = System.nanoTime();
                }
            }
            return types.contains(HEADERS) && types.contains(RST_STREAM) != response.isEmpty()
                    && System.nanoTime() - closing < TimeUnit.MILLISECONDS.toNanos(500);
        }
    }

    private static void send(Socket socket, String frame) throws IOException {
        socket.getOutputStream().write(HexFormat.of().parseHex(frame));
    }

    @ParameterizedTest
    @ValueSource(strings = {HEAD_FRAME, ""})
    void closeTheConnectionWithTheResult(String response) throws Exception {
        try (var server = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress());
                RunningGateway _ = gateway("http://127.0.0.1:" + server.getLocalPort(), "h2c",
                        "health.timeout = 1s")) {
            server.setSoTimeout((int) LIMIT.toMillis());
            await().atMost(LIMIT).until(() -> isClosedAtOnce(server, response));
        }
    }
}
