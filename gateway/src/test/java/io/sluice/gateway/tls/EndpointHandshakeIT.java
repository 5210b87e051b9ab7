package io.sluice.gateway.tls;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.pkitesting.X509Bundle;
import io.sluice.gateway.RunningGateway;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The handshakes of the proxy with endpoints, as these see them. */
@Timeout(120)
class EndpointHandshakeIT {
    /** The header for a client and an endpoint at 127.0.0.1, but its two ports. */
    private static final String PROXY = "0d0a0d0a000d0a515549540a2111000c7f0000017f000001";
    private static final int PORTS = 4;

    @TempDir
    private Path folder;

    private RunningGateway gateway(String provider, int port, String upstream) {
        return RunningGateway.start("""
                sluice {
                  tls.provider = %s
                  upstreams.origin { endpoints = ["https://127.0.0.1:%d"], retries = 0, %s }
                  routes.proxy { path = "/**", handler = proxy, upstream = origin }
                }
                """.formatted(provider, port, upstream));
    }

    private String authority() throws IOException {
        return "tls.ca = \"" + Files.writeString(folder.resolve("ca.crt"),
                TestCertificates.AUTHORITY.getCertificatePEM()) + '"';
    }

    /** A connection: the bytes before the handshake, in hex, and the names in SNI. */
    private record Seen(String before, List<String> names) {
    }

    /** Accepts a connection that begins with bytes before the handshake, and answers its request. */
    private static CompletableFuture<Seen> serve(ServerSocket listener, X509Bundle certificate, int before) {
        return CompletableFuture.supplyAsync(() -> {
            try (Socket plain = listener.accept()) {
                byte[] first = plain.getInputStream().readNBytes(before);
                SSLContext context = SSLContext.getInstance("TLS");
                context.init(certificate.toKeyManagerFactory().getKeyManagers(), null, new SecureRandom());
                var socket = (SSLSocket) context.getSocketFactory().createSocket(plain, null, true);
                socket.setUseClientMode(false);
                socket.getInputStream().read();
                socket.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII));
                socket.close();
                return new Seen(HexFormat.of().formatHex(first), ((ExtendedSSLSession) socket.getSession())
                        .getRequestedServerNames().stream()
                        .map(name -> new String(name.getEncoded(), StandardCharsets.US_ASCII)).toList());
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }, Thread::startVirtualThread);
    }

    /** SNI holds no addresses (RFC 6066 section 3). */
    @ParameterizedTest
    @CsvSource({"openssl, shop.internal", "jdk, shop.internal", "openssl,", "jdk,"})
    void haveTheConfiguredName(String provider, String name) throws Exception {
        X509Bundle certificate = TestCertificates.server("shop.internal", "127.0.0.1");
        try (var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                RunningGateway gateway = gateway(provider, listener.getLocalPort(), authority()
                        + (name == null ? "" : ", tls.server-name = " + name))) {
            CompletableFuture<Seen> seen = serve(listener, certificate, 0);
            assertThat(gateway.get("/").statusCode()).isEqualTo(200);
            assertThat(seen.get().names()).isEqualTo(name == null ? List.of() : List.of(name));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openssl", "jdk"})
    void beginBehindTheProxyHeader(String provider) throws Exception {
        try (var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                RunningGateway gateway = gateway(provider, listener.getLocalPort(), authority()
                        + ", proxy-protocol = true")) {
            CompletableFuture<Seen> seen = serve(listener, TestCertificates.LOCALHOST,
                    PROXY.length() / 2 + PORTS);
            assertThat(gateway.get("/").statusCode()).isEqualTo(200);
            assertThat(seen.get().before()).startsWith(PROXY)
                    .endsWith("%04x".formatted(listener.getLocalPort()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openssl", "jdk"})
    void failForAnAuthorityThatOnlyTheConfigurationKnows(String provider) throws Exception {
        try (TlsServer origin = new TlsServer(
                     TlsServer.config(folder,
                             TestCertificates.write(folder, "origin", TestCertificates.LOCALHOST)),
                     route("/", exchange -> answer(exchange, "origin")));
                RunningGateway unaware = gateway(provider, origin.port(), "");
                RunningGateway gateway = gateway(provider, origin.port(), authority())) {
            assertThat(unaware.get("/").statusCode()).isEqualTo(502);
            assertThat(gateway.get("/").statusCode()).isEqualTo(200);
        }
    }
}
