package io.sluice.gateway.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.config.TlsConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DevCertificateTest {
    @TempDir
    private Path folder;

    @Test
    void certificateListsLocalhostAndTheGivenHosts() throws Exception {
        var written = DevCertificate.write(List.of("dev.example.com", "*.dev.example.com", "10.1.2.3"),
                folder.resolve("new"), false);

        X509Certificate certificate = TlsFiles.read(config(written)).identities().getFirst().certificate();
        assertThat(certificate.getSubjectAlternativeNames())
                .extracting(name -> name.getLast().toString()).containsExactly(
                "localhost", "127.0.0.1", "0:0:0:0:0:0:0:1", "dev.example.com", "*.dev.example.com",
                "10.1.2.3");
        var key = (ECPublicKey) certificate.getPublicKey();
        assertThat(key.getParams().getCurve().getField().getFieldSize()).isEqualTo(256);
        assertThat(Duration.between(Instant.now(), certificate.getNotAfter().toInstant()))
                .isBetween(Duration.ofDays(89), Duration.ofDays(91));
        assertThat(certificate.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(written.privateKey())))
                .isEqualTo("rw-------");
        Certificates.check(config(written));
    }

    private TlsConfig config(DevCertificate.Written written) {
        assertThat(written.toString()).contains("certificate = \"" + written.certificate() + '"',
                "private-key = \"" + written.privateKey() + '"');
        return TlsServer.config(folder, "certificate = \"%s\", private-key = \"%s\""
                .formatted(written.certificate(), written.privateKey()));
    }

    @Test
    void letsOnlyItsOwnerReadTheKeyAndReplacesBothFilesByForce() throws Exception {
        Path certificate = Files.writeString(folder.resolve("sluice-dev.crt"), "mine");
        Path key = Files.writeString(folder.resolve("sluice-dev.key"), "mine");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-rw-rw-"));

        DevCertificate.write(List.of(), folder, true);

        assertThat(certificate).content().startsWith("-----BEGIN CERTIFICATE");
        assertThat(key).content().startsWith("-----BEGIN PRIVATE KEY");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key))).isEqualTo("rw-------");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sluice-dev.crt", "sluice-dev.key"})
    void existingFilesAreNotReplaced(String name) throws Exception {
        Path file = Files.writeString(folder.resolve(name), "mine");

        assertThatThrownBy(() -> DevCertificate.write(List.of(), folder, false)).hasMessage(
                file + ": is there already (expected: --force, or another --dir)");
        assertThat(file).hasContent("mine");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a,b", "a b", "-a", "https://a", "*", "*.*.a", "ü.example.com"})
    void invalidHostsAreRejected(String host) {
        assertThatThrownBy(() -> DevCertificate.write(List.of(host), folder, false)).hasMessage(
                "--host: " + host + " (expected: a DNS name or an IP address)");
        assertThat(folder).isEmptyDirectory();
    }
}
