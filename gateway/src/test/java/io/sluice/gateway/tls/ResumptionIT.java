package io.sluice.gateway.tls;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.pkitesting.X509Bundle;
import io.sluice.config.TlsConfig.Provider;
import io.sluice.gateway.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Resumption of TLS sessions (RFC 8446 section 2.2), and sessions that must not be resumed. */
class ResumptionIT {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

    @TempDir
    private Path folder;

    static Stream<Arguments> waysToSpeakTls() {
        return Stream.of(Provider.OPENSSL, Provider.JDK).flatMap(provider ->
                Stream.of("TLSv1.2", "TLSv1.3").map(version -> Arguments.of(provider, version)));
    }

    private TlsServer server(Provider provider, String more) {
        String files = TestCertificates.write(folder, "a", TestCertificates.LOCALHOST);
        return new TlsServer(TlsServer.config(folder, "provider = %s, reload-interval = 100ms, %s%s"
                .formatted(provider, files, more)), route("/", exchange -> answer(exchange, "hello")));
    }

    @ParameterizedTest
    @MethodSource("waysToSpeakTls")
    void clientsTakeUpTheirSession(Provider provider, String version) throws Exception {
        try (TlsServer server = server(provider, "")) {
            SSLContext client = TestCertificates.client();
            long first = session(server, client, version).getCreationTime();
            awaitAnotherMilli();

            assertThat(session(server, client, version).getCreationTime()).isEqualTo(first);
            assertThat(session(server, client, version).getCreationTime()).isEqualTo(first);
        }
    }

    @ParameterizedTest
    @MethodSource("waysToSpeakTls")
    void clientsBeginAnewWhenTheCertificateHasChanged(Provider provider, String version) throws Exception {
        try (TlsServer server = server(provider, "")) {
            SSLContext client = TestCertificates.client();
            long first = session(server, client, version).getCreationTime();
            awaitAnotherMilli();
            server.forget();
            TestCertificates.write(folder, "a", TestCertificates.server("localhost", "127.0.0.1"));
            server.awaitUse();

            assertThat(session(server, client, version).getCreationTime()).isNotEqualTo(first);
        }
    }

    /** A resumed handshake checks no certificate, and a session may last longer than one. */
    @ParameterizedTest
    @MethodSource("waysToSpeakTls")
    void expiredClientCertificateEndsSession(Provider provider, String version) throws Exception {
        X509Bundle authority = TestCertificates.authority("clients");
        Path authorities = Files.writeString(folder.resolve("clients.crt"), authority.getCertificatePEM());
        String required = ", client-certificates = required, client-authorities = \"" + authorities + '"';
        try (TlsServer server = server(provider, required)) {
            session(server, TestCertificates.clientAs(TestCertificates.client(authority)), version); // warms
            Instant expiry = Instant.now().plusSeconds(5).truncatedTo(ChronoUnit.SECONDS);
            SSLContext client = TestCertificates.clientAs(TestCertificates.client(authority, expiry));
            long first = session(server, client, version).getCreationTime();
            awaitAnotherMilli();
            assertThat(session(server, client, version).getCreationTime()).isEqualTo(first);
            server.forget();
            await().until(() -> Instant.now().isAfter(expiry.plusSeconds(1)));

            assertThatThrownBy(() -> session(server, client, version)).isInstanceOf(IOException.class);
            assertThat(server.told()).isEqualTo("CLIENT_CERTIFICATE");
        }
    }

    /** A session must not be resumed when its client certificate's authority is no longer trusted. */
    @ParameterizedTest
    @MethodSource("waysToSpeakTls")
    void removedAuthorityEndsSession(Provider provider, String version) throws Exception {
        X509Bundle authority = TestCertificates.authority("clients");
        Path authorities = Files.writeString(folder.resolve("clients.crt"), authority.getCertificatePEM());
        String required = ", client-certificates = required, client-authorities = \"" + authorities + '"';
        try (TlsServer server = server(provider, required)) {
            SSLContext client = TestCertificates.clientAs(TestCertificates.client(authority));
            long first = session(server, client, version).getCreationTime();
            awaitAnotherMilli();
            assertThat(session(server, client, version).getCreationTime()).isEqualTo(first);
            server.forget();
            TestCertificates.write(authorities, TestCertificates.authority("others").getCertificatePEM());
            server.awaitUse();

            assertThatThrownBy(() -> session(server, client, version)).isInstanceOf(IOException.class);
            assertThat(server.told()).isEqualTo("CLIENT_CERTIFICATE");
        }
    }

    private static void awaitAnotherMilli() {
        long now = System.currentTimeMillis();
        while (System.currentTimeMillis() == now) {
            Thread.onSpinWait();
        }
    }

    /** Returns the session of a connection, after an answer and a proper end. */
    private static SSLSession session(TlsServer server, SSLContext context, String version)
            throws IOException {
        SSLSocket socket = SecureClient.socket(context, server.port(),
                ask -> ask.setProtocols(new String[] {version}));
        try (var client = new RawClient(socket)) {
            assertThat(client.send(GET).read().body()).isEqualTo("hello");
            assertThat(client.isClosed()).isTrue();
            return socket.getSession();
        }
    }
}
