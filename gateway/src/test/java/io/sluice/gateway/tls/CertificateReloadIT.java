package io.sluice.gateway.tls;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.netty.pkitesting.X509Bundle;
import io.sluice.config.TlsConfig.Provider;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.logging.LoggedEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** Reload of certificate files while connections are open. */
@ParameterizedClass
@EnumSource(value = Provider.class, names = {"OPENSSL", "JDK"})
class CertificateReloadIT {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final X509Bundle FIRST = TestCertificates.server("localhost", "first");
    private static final X509Bundle SECOND = TestCertificates.server("localhost", "second");

    @Parameter
    private Provider provider;
    @TempDir
    private Path folder;
    private final LoggedEvents logged = new LoggedEvents();

    @BeforeEach
    void listen() {
        logged.start();
        log().addAppender(logged);
    }

    @AfterEach
    void listenNoMore() {
        log().detachAppender(logged);
    }

    private static Logger log() {
        return (Logger) LoggerFactory.getLogger(Certificates.class);
    }

    private List<String> errors() {
        return logged.list.stream().filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage).toList();
    }

    private TlsServer server(String files) throws InterruptedException {
        var server = new TlsServer(TlsServer.config(folder, "provider = %s, reload-interval = 100ms, %s"
                .formatted(provider, files)), route("/", exchange -> answer(exchange, "hello")));
        assertThat(server.told()).isEqualTo("in use");
        return server;
    }

    @Test
    void newConnectionsGetTheNewCertificateAndOldOnesStayOpen() throws Exception {
        try (TlsServer server = server(TestCertificates.write(folder, "a", FIRST));
                RawClient old = SecureClient.connect(server.port())) {
            assertThat(shown(old)).isEqualTo(FIRST.getCertificate());
            server.forget();
            TestCertificates.write(folder, "a", SECOND);
            server.awaitUse();

            try (RawClient fresh = SecureClient.connect(server.port())) {
                assertThat(shown(fresh)).isEqualTo(SECOND.getCertificate());
                assertThat(old.send(GET).read().body()).isEqualTo("hello");
            }
            assertThat(old.send(GET).read().body()).isEqualTo("hello");
        }
    }

    @Test
    void invalidCertificateIsReportedOnceAndNotUsed() throws Exception {
        try (TlsServer server = server(TestCertificates.write(folder, "a", FIRST))) {
            Path key = folder.resolve("a.key");
            TestCertificates.write(key, SECOND.getPrivateKeyPEM());
            for (int i = 0; i < 3; i++) {
                assertThat(server.told()).isEqualTo("refused");
            }
            assertThat(errors()).containsExactly(("sluice.tls.private-key: %s: not the key of the first "
                    + "certificate in %s (expected: the key that belongs to it); what was read before stays "
                    + "in use").formatted(key, folder.resolve("a.crt")));
            assertThat(shownToNew(server)).isEqualTo(FIRST.getCertificate());

            Files.delete(key);
            awaitErrors(server, 2);
            assertThat(errors().getLast()).contains("a.key: NoSuchFileException");
            assertThat(shownToNew(server)).isEqualTo(FIRST.getCertificate());

            TestCertificates.write(folder, "a", SECOND);
            server.awaitUse();
            assertThat(shownToNew(server)).isEqualTo(SECOND.getCertificate());
        }
    }

    @Test
    void restoredCertificateIsNoError() throws Exception {
        try (TlsServer server = server(TestCertificates.write(folder, "a", FIRST))) {
            TestCertificates.write(folder.resolve("a.crt"), "");
            assertThat(server.told()).isEqualTo("refused");
            TestCertificates.write(folder, "a", FIRST);

            server.awaitUse();
            assertThat(errors()).hasSize(1);
        }
    }

    /** Kubernetes updates files like this: it replaces a symbolic link on the path, and not the file. */
    @Test
    void followsLinks() throws Exception {
        Path before = Files.createDirectory(folder.resolve("..1"));
        Path after = Files.createDirectory(folder.resolve("..2"));
        TestCertificates.write(before, "tls", FIRST);
        TestCertificates.write(after, "tls", SECOND);
        Path data = Files.createSymbolicLink(folder.resolve("..data"), before.getFileName());
        for (String name : List.of("tls.crt", "tls.key")) {
            Files.createSymbolicLink(folder.resolve(name), Path.of("..data", name));
        }
        try (TlsServer server = server("certificate = \"%1$s/tls.crt\", private-key = \"%1$s/tls.key\""
                .formatted(folder))) {
            Path other = Files.createSymbolicLink(folder.resolve("..data_tmp"), after.getFileName());
            Files.move(other, data, ATOMIC_MOVE);
            server.awaitUse();

            assertThat(shownToNew(server)).isEqualTo(SECOND.getCertificate());
        }
    }

    @Test
    void expiredCertificateIsReported() throws Exception {
        try (TlsServer _ = server(TestCertificates.write(folder, "a",
                TestCertificates.expired(TestCertificates.AUTHORITY)))) {
            assertThat(errors()).singleElement().asString()
                    .startsWith("the certificate for [localhost] has expired on ");
        }
    }

    private void awaitErrors(TlsServer server, int count) throws InterruptedException {
        while (errors().size() < count) {
            assertThat(server.told()).isNotNull();
        }
    }

    private static X509Certificate shownToNew(TlsServer server) throws IOException {
        try (RawClient client = SecureClient.connect(server.port())) {
            return shown(client);
        }
    }

    private static X509Certificate shown(RawClient client) throws IOException {
        return (X509Certificate) ((SSLSocket) client.socket()).getSession().getPeerCertificates()[0];
    }
}
