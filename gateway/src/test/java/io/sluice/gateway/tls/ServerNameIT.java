package io.sluice.gateway.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.pkitesting.X509Bundle;
import io.sluice.config.TlsConfig.Provider;
import io.sluice.gateway.RawClient;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The choice of a certificate by the server name that a client asks for (RFC 6066 section 3). */
@ParameterizedClass
@EnumSource(value = Provider.class, names = {"OPENSSL", "JDK"})
class ServerNameIT {
    private static final Map<String, X509Bundle> CERTIFICATES = Map.of(
            "standard", TestCertificates.server("localhost", "a.example.com"),
            "b", TestCertificates.wildcard("B.example.com", "c.example.com"),
            "wild", TestCertificates.wildcard("*.example.com", "a.example.com"));
    private static TlsServer server;

    @Parameter
    private Provider provider;

    @BeforeParameterizedClassInvocation
    static void start(Provider provider, @TempDir Path folder) {
        server = new TlsServer(TlsServer.config(folder, "provider = %s, %s, certificates = [{ %s }, { %s }]"
                .formatted(provider, write(folder, "standard"), write(folder, "b"), write(folder, "wild"))));
    }

    private static String write(Path folder, String name) {
        return TestCertificates.write(folder, name, CERTIFICATES.get(name));
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource(nullValues = "none", textBlock = """
            none,               standard
            localhost,          standard
            a.example.com,      standard
            b.example.com,      b
            B.EXAMPLE.com,      b
            c.example.com,      b
            d.example.com,      wild
            x.d.example.com,    standard
            example.com,        standard
            b.example.org,      standard
            """)
    void certificateIsSelectedByServerName(String name, String certificate) throws Exception {
        assertThat(sentTo(name == null ? new Hello() : new Hello().name(name))).isEqualTo(certificate);
    }

    /** The JDK refuses names that are invalid by the RFC. */
    @ParameterizedTest
    @CsvSource({"b.example.com., b", "D.Example.Com., wild", "*.example.com, wild", "., standard",
        ".example.com, standard"})
    void unusualServerNamesAreMatchedOrRefused(String name, String certificate) throws Exception {
        assertThat(sentTo(new Hello().name(name)))
                .isEqualTo(provider == Provider.JDK ? "an alert" : certificate);
    }

    @Test
    void emptyServerNameGetsTheDefaultOrAnAlert() throws Exception {
        assertThat(sentTo(new Hello().name(""))).isIn("an alert", "standard");
    }

    private static String sentTo(Hello hello) throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send(hello.bytes());
            String sent = certificateMessage(client.socket().getInputStream());
            return CERTIFICATES.entrySet().stream()
                    .filter(entry -> sent.contains(encoded(entry.getValue())))
                    .map(Map.Entry::getKey).findFirst().orElse("an alert");
        }
    }

    private static String encoded(X509Bundle bundle) {
        try {
            return new String(bundle.getCertificate().getEncoded(), StandardCharsets.ISO_8859_1);
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the server's first flight, which is not encrypted in TLS 1.2. */
    private static String certificateMessage(InputStream in) throws Exception {
        var all = new StringBuilder();
        while (all.length() < 400) {
            byte[] some = new byte[8192];
            int length = in.read(some);
            if (length < 0) {
                break;
            }
            all.append(new String(some, 0, length, StandardCharsets.ISO_8859_1));
        }
        return all.toString();
    }
}
