package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.TlsConfig.Provider;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.tls.TestCertificates;
import io.sluice.gateway.tunnel.Http;
import io.sluice.handlers.upstream.EndpointStats;
import io.sluice.handlers.upstream.EndpointStats.State;
import io.sluice.handlers.upstream.UpstreamException.Stage;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** WebSockets through the proxy to an https endpoint with which requests agree on HTTP/2. */
class NegotiatedSocketIT {
    @TempDir
    private Path folder;

    private RunningGateway gateway(Provider provider, int port) throws Exception {
        Path ca = Files.writeString(folder.resolve("ca.crt"), TestCertificates.AUTHORITY.getCertificatePEM());
        return RunningGateway.start("""
                sluice {
                  server.worker-threads = 1
                  tls.provider = %s
                  upstreams.echo { endpoints = ["https://localhost:%d"], tls.ca = "%s", protocol = auto }
                  routes.proxy { path = "/**", handler = proxy, upstream = echo }
                }
                """.formatted(provider, port, ca));
    }

    @ParameterizedTest
    @CsvSource({"OPENSSL, HTTP_1_1, true", "OPENSSL, HTTP_2, false", "JDK, HTTP_1_1, false",
            "JDK, HTTP_2, true"})
    void haveConnectionsOfTheirOwn(Provider provider, Http http, boolean isFirst) throws Exception {
        try (var endpoint = RunningGateway.start("""
                     sluice.tls { %s }
                     sluice.routes.ws { path = /ws, handler = ws-echo }
                     sluice.routes.hello { path = /hello, handler = text, text = hello }
                     """.formatted(TestCertificates.write(folder, "a", TestCertificates.LOCALHOST)));
                RunningGateway gateway = gateway(provider, endpoint.tlsPort())) {
            if (!isFirst) {
                assertThat(gateway.get("/hello").body()).isEqualTo("hello");
            }
            for (int i = 0; i < 2; i++) {
                try (RawSocket socket = RawSocket.open(http, gateway.port(), "/ws")) {
                    socket.send(ClientFrame.of(ClientFrame.TEXT, "hello"));
                    assertThat(socket.read().text()).isEqualTo("hello");
                }
                assertThat(gateway.get("/hello").body()).isEqualTo("hello");
            }
            assertThat(gateway.upstream("echo").endpoints().getFirst().failures().get(Stage.CONNECT))
                    .isZero();
        }
    }

    /** Otherwise a client could take the endpoint down for all, as its first requests. */
    @ParameterizedTest
    @EnumSource(names = {"OPENSSL", "JDK"})
    void leaveAnEndpointOfHttp2AloneUp(Provider provider) throws Exception {
        try (SSLServerSocket endpoint = http2Only();
                RunningGateway gateway = gateway(provider, endpoint.getLocalPort())) {
            for (int i = 0; i < 3; i++) {
                try (RawSocket socket = RawSocket.over(Http.HTTP_1_1.connect(gateway.port(), 0))) {
                    socket.send(RawSocket.handshake("/ws"));
                    assertThat(socket.readAnswer().status()).isEqualTo(502);
                }
            }
            EndpointStats stats = gateway.upstream("echo").endpoints().getFirst();
            assertThat(stats.failures().get(Stage.CONNECT)).isGreaterThanOrEqualTo(3);
            assertThat(stats.state()).isEqualTo(State.UP);
        }
    }

    /** Starts an endpoint that accepts TLS for HTTP/2 only, and says no more. */
    private static SSLServerSocket http2Only() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(TestCertificates.LOCALHOST.toKeyManagerFactory().getKeyManagers(), null, null);
        var listener = (SSLServerSocket) context.getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        SSLParameters parameters = listener.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        listener.setSSLParameters(parameters);
        Thread.startVirtualThread(() -> {
            while (!listener.isClosed()) {
                try (var connection = (SSLSocket) listener.accept()) {
                    connection.startHandshake();
                } catch (IOException e) {
                    // refused, or the end
                }
            }
        });
        return listener;
    }
}
