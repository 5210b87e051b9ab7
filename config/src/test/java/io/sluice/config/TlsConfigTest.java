package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.TlsConfig.ClientCertificates;
import io.sluice.config.type.ReadableFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TlsConfigTest {
    @TempDir
    private Path directory;
    private HoconFile file;

    @BeforeEach
    void writeFiles() {
        file = new HoconFile(directory);
        file.write("a.crt", "");
        file.write("a.key", "");
    }

    @Test
    void isOffWithoutACertificate() {
        TlsConfig tls = file.load("").tls();

        assertThat(tls.enabled()).isFalse();
        assertThat(tls.port()).isEqualTo(8443);
        assertThat(tls.hsts()).isEmpty();
    }

    @Test
    void takesOneCertificateForAllNamesAndMoreForTheirs() {
        TlsConfig tls = load("certificate = ?a.crt, private-key = ?a.key, hsts = 365d, certificates = ["
                + "{ certificate = ?a.crt, private-key = ?a.key }]").tls();

        assertThat(tls.enabled()).isTrue();
        assertThat(tls.privateKey()).hasValue(new ReadableFile(directory.resolve("a.key")));
        assertThat(tls.certificates()).hasValue(Set.of(new CertificateConfig(
                tls.certificate().orElseThrow(), tls.privateKey().orElseThrow())));
        assertThat(tls.hsts()).hasValue(Duration.ofDays(365));
    }

    @Test
    void clientCertificatesAreRequiredWithTheirAuthorities() {
        TlsConfig tls = load("certificate = ?a.crt, private-key = ?a.key, "
                + "client-certificates = required, client-authorities = ?a.crt").tls();

        assertThat(tls.clientCertificates()).isEqualTo(ClientCertificates.REQUIRED);
        assertThat(tls.clientAuthorities()).isPresent();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            certificate = ?a.crt               | private-key: missing (expected: its key)
            private-key = ?a.key               | certificate: missing (expected: the one that private-key \
            belongs to)
            certificate = ?a.crt, private-key = null | private-key: missing (expected: its key)
            certificates = [{ certificate = ?a.crt, private-key = ?a.key }] | certificate: missing \
            (expected: one for clients that ask for no other's name)
            certificates = [{ certificate = ?a.crt }], certificate = ?a.crt, private-key = ?a.key | \
            certificates.0.private-key: missing (expected: a file)
            certificates = x, certificate = ?a.crt, private-key = ?a.key | certificates.0: x (expected: an \
            object { … })
            certificate = "", private-key = ?a.key | certificate: "" (expected: a file)
            client-certificates = required     | client-authorities: missing (expected: a file with those \
            who vouch for clients)
            client-authorities = ?a.crt        | client-certificates: none (expected: optional or required, \
            as there are client-authorities)
            client-certificates = required, client-authorities = ?a.crt | certificate: missing (expected: \
            that of the port which asks clients for theirs)
            hsts = 365d                        | certificate: missing (expected: that of the port whose \
            responses have the header)
            client-certificates = maybe        | client-certificates: maybe (expected: one of none, \
            optional, required)
            provider = boringssl               | provider: boringssl (expected: one of auto, jdk, openssl)
            hsts = -1s                         | hsts: -1s (expected: a duration with its unit, such as \
            250ms, 5s or 2m; 0s..17568h)
            """)
    void inconsistentTlsKeysAreReported(String written, String problem) {
        assertThat(file.problems("sluice.tls { " + placed(written) + " }")).containsExactly(
                "main.conf:1: sluice.tls." + problem.replace("?", ""));
    }

    private GatewayConfig load(String written) {
        return file.load("sluice.tls { " + placed(written) + " }");
    }

    /** Replaces each {@code ?file} with the file's path in the test's directory. */
    private String placed(String written) {
        return written.replaceAll("\\?([a-z.]+)", "\"" + directory + "/$1\"");
    }
}
