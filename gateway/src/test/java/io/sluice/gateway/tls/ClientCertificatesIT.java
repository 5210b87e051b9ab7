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
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Client certificates: optional or required, valid or not. */
@ParameterizedClass
@EnumSource(value = Provider.class, names = {"OPENSSL", "JDK"})
class ClientCertificatesIT {
    private static final X509Bundle AUTHORITY = TestCertificates.authority("clients");

    private static TlsServer optional;
    private static TlsServer required;

    @Parameter
    private Provider provider;

    /** Client certificates, by their validity. */
    enum Shown {
        NOTHING(TestCertificates.client()),
        GOOD(TestCertificates.clientAs(TestCertificates.client(AUTHORITY))),
        UNTRUSTED(TestCertificates.clientAs(TestCertificates.client(TestCertificates.authority("clients")))),
        EXPIRED(TestCertificates.clientAs(TestCertificates.expired(AUTHORITY)));

        private final SSLContext client;

        Shown(SSLContext client) {
            this.client = client;
        }
    }

    @BeforeParameterizedClassInvocation
    static void start(Provider provider, @TempDir Path folder) throws IOException {
        Path authorities = Files.writeString(folder.resolve("clients.crt"), AUTHORITY.getCertificatePEM());
        String config = "client-authorities = \"%s\", provider = %s, %s, client-certificates = ".formatted(
                authorities, provider, TestCertificates.write(folder, "a", TestCertificates.LOCALHOST));
        optional = new TlsServer(TlsServer.config(folder, config + "optional"),
                route("/", exchange -> answer(exchange, "hello")));
        required = new TlsServer(TlsServer.config(folder, config + "required"),
                route("/", exchange -> answer(exchange, "hello")));
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        optional.close();
        required.close();
    }

    @BeforeEach
    void forget() {
        optional.forget();
        required.forget();
    }

    @ParameterizedTest
    @CsvSource({"true, GOOD", "false, GOOD", "false, NOTHING"})
    void validCertificateIsAccepted(boolean asked, Shown shown) throws Exception {
        TlsServer server = asked ? required : optional;
        for (String version : new String[] {"TLSv1.2", "TLSv1.3"}) {
            assertThat(ask(server, shown, version)).isEqualTo("hello");
            assertThat(server.told()).isEqualTo(version);
        }
    }

    @ParameterizedTest
    @CsvSource({"true, NOTHING", "true, UNTRUSTED", "true, EXPIRED", "false, UNTRUSTED", "false, EXPIRED"})
    void missingOrInvalidCertificateIsRefused(boolean asked, Shown shown) throws Exception {
        TlsServer server = asked ? required : optional;
        for (String version : new String[] {"TLSv1.2", "TLSv1.3"}) {
            assertThatThrownBy(() -> ask(server, shown, version)).isInstanceOf(IOException.class);
            assertThat(server.told()).isEqualTo("CLIENT_CERTIFICATE");
        }
    }

    /** A client that is still writing may get a reset before the alert. */
    @ParameterizedTest
    @EnumSource(names = {"UNTRUSTED", "EXPIRED"})
    void theAlertNamesTheCause(Shown shown) {
        await().untilAsserted(() -> assertThatThrownBy(() -> ask(required, shown, "TLSv1.2"))
                .hasMessageMatching(".*(bad_certificate|certificate_expired|certificate_unknown)$"));
    }

    private static String ask(TlsServer server, Shown shown, String version) throws IOException {
        try (var client = new RawClient(SecureClient.socket(shown.client, server.port(),
                ask -> ask.setProtocols(new String[] {version})))) {
            return client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").read().body();
        }
    }
}
