package io.sluice.gateway.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RunningGateway;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records without data that endpoints send within TLS. */
@Timeout(120)
class EndpointRecordsIT {
    @TempDir
    private Path folder;

    /** Each costs keys or a signature, and a response where the endpoint asks for it. */
    @ParameterizedTest(name = "{0}: {2} of {1}")
    @CsvSource({"openssl, TLSv1.3, 20, 200", "openssl, TLSv1.3, 100, 502", "jdk, TLSv1.3, 20, 200",
        "jdk, TLSv1.3, 100, 502", "jdk, TLSv1.2, 0, 200", "jdk, TLSv1.2, 1, 502"})
    void areFewInARow(String provider, String version, int handshakes, int status) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(TestCertificates.LOCALHOST.toKeyManagerFactory().getKeyManagers(), null,
                new SecureRandom());
        Path authority = Files.writeString(folder.resolve("ca.crt"),
                TestCertificates.AUTHORITY.getCertificatePEM());
        try (var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                RunningGateway gateway = RunningGateway.start("""
                sluice {
                  tls.provider = %s
                  upstreams.origin { endpoints = ["https://127.0.0.1:%d"], retries = 0, tls.ca = "%s" }
                  routes.proxy { path = "/**", handler = proxy, upstream = origin }
                }
                """.formatted(provider, listener.getLocalPort(), authority))) {
            CompletableFuture<Void> serving = CompletableFuture.runAsync(
                    () -> serve(context, listener, version, handshakes), Thread::startVirtualThread);
            assertThat(gateway.get("/").statusCode()).isEqualTo(status);
            serving.get();
        }
    }

    /** Begins handshakes, which in TLS 1.3 are updates of keys, between a request and its response. */
    private static void serve(SSLContext context, ServerSocket listener, String version, int handshakes) {
        try (Socket plain = listener.accept();
                var socket = (SSLSocket) context.getSocketFactory().createSocket(plain, null, true)) {
            socket.setUseClientMode(false);
            socket.setEnabledProtocols(new String[] {version});
            var request = new StringBuilder();
            while (request.indexOf("\r\n\r\n") < 0) {
                request.append((char) socket.getInputStream().read());
            }
            for (int i = 0; i < handshakes; i++) {
                socket.startHandshake();
            }
            if (!isClosed(socket)) {
                socket.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException _) {
            // the gateway has closed the connection
        }
    }

    /** Returns whether the gateway closes a connection soon; takes part in a handshake meanwhile. */
    private static boolean isClosed(SSLSocket socket) throws IOException {
        socket.setSoTimeout(1000);
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException _) {
            return false;
        }
    }
}
