package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.TlsConfig.Provider;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.tls.TestCertificates;
import io.sluice.gateway.tunnel.Http;
import io.sluice.handlers.upstream.UpstreamException.Stage;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** WebSockets through the proxy to an https endpoint with which requests agree on HTTP/2. */
class NegotiatedSocketIT {
    @TempDir
    private Path folder;

    private RunningGateway gateway(Provider provider, RunningGateway endpoint) throws Exception {
        Path ca = Files.writeString(folder.resolve("ca.crt"), TestCertificates.AUTHORITY.getCertificatePEM());
        return RunningGateway.start("""
                sluice {
                  server.worker-threads = 1
                  tls.provider = %s
                  upstreams.echo { endpoints = ["https://localhost:%d"], tls.ca = "%s", protocol = auto }
                  routes.proxy { path = "/**", handler = proxy, upstream = echo }
                }
                """.formatted(provider, endpoint.tlsPort(), ca));
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
                RunningGateway gateway = gateway(provider, endpoint)) {
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
}
