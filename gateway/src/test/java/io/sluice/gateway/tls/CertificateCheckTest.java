package io.sluice.gateway.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.sluice.config.type.ReadableFile;
import io.sluice.config.upstream.UpstreamTlsConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.interfaces.ECPrivateKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks of certificate and key files, and the messages for invalid ones. */
class CertificateCheckTest {
    private static final X509Bundle RSA = rsa();

    @TempDir
    private Path folder;
    private Path certificate;
    private Path key;

    private static X509Bundle rsa() {
        try {
            return new CertificateBuilder().rsa2048().subject("CN=localhost").addSanDnsName("localhost")
                    .buildIssuedBy(TestCertificates.AUTHORITY);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void write() {
        certificate = folder.resolve("a.crt");
        key = folder.resolve("a.key");
        TestCertificates.write(folder, "a", TestCertificates.LOCALHOST);
    }

    private void check(String more) throws TlsException {
        Certificates.check(TlsServer.config(folder, "certificate = \"%s\", private-key = \"%s\"%s"
                .formatted(certificate, key, more)));
    }

    private String problem(String more) {
        return catchThrowableOfType(TlsException.class, () -> check(more)).getMessage()
                .replace(folder.toString() + '/', "");
    }

    private static String pem(String label, byte[] der) {
        return "-----BEGIN %1$s-----\r\n%2$s\r\n-----END %1$s-----\r\n".formatted(label,
                Base64.getMimeEncoder().encodeToString(der));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ", provider = openssl", ", provider = jdk"})
    void takesAChainAndItsKey(String more) throws Exception {
        check(more);
    }

    @Test
    void keyAndChainMayShareAFileWithOtherText() throws Exception {
        X509Bundle bundle = TestCertificates.LOCALHOST;
        Files.writeString(certificate, "Bag Attributes\n" + bundle.getPrivateKeyPEM()
                + "# mine\n" + bundle.getCertificatePathPEM() + "\nthat is all");
        key = certificate;

        check("");
    }

    /** The format of {@code openssl genrsa} before version 3, which cert-manager still writes. */
    @Test
    void takesRsaKeysOfPkcs1() throws Exception {
        Files.writeString(certificate, RSA.getCertificatePEM());
        byte[] pkcs8 = RSA.getKeyPair().getPrivate().getEncoded();
        Files.writeString(key, pem("RSA PRIVATE KEY", Arrays.copyOfRange(pkcs8, 26, pkcs8.length)));

        check("");
    }

    @Test
    void takesTheKeyOfTheCertificateForABusToo() throws Exception {
        var files = new UpstreamTlsConfig(Optional.of(new ReadableFile(certificate)), Optional.empty(),
                Optional.of(new ReadableFile(certificate)), Optional.of(new ReadableFile(key)));
        EndpointTls.check("tls", files);

        Files.writeString(key, RSA.getPrivateKeyPEM());
        assertThatThrownBy(() -> EndpointTls.check("tls", files))
                .hasMessageStartingWith("tls.private-key: " + key + ": not the key of the first certificate");
        Files.writeString(certificate, RSA.getCertificatePEM());
        EndpointTls.check("tls", files);
    }

    /** The format of {@code openssl ecparam -genkey}. */
    @Test
    void takesEcKeysOfSec1() throws Exception {
        Files.writeString(key, pem("EC PARAMETERS", HexFormat.of().parseHex("06082a8648ce3d030107"))
                + pem("EC PRIVATE KEY", sec1("a00a06082a8648ce3d030107")));

        check("");
    }

    private static byte[] sec1(String curve) {
        String number = ((ECPrivateKey) TestCertificates.LOCALHOST.getKeyPair().getPrivate()).getS()
                .toString(16);
        String content = "020101" + "0420" + "0".repeat(64 - number.length()) + number + curve;
        return HexFormat.of().parseHex("30%02x".formatted(content.length() / 2) + content);
    }

    @Test
    void invalidKeysAreReported() throws IOException {
        assertThat(problemOfKey(RSA.getPrivateKeyPEM())).isEqualTo("not the key of the first certificate in "
                + "a.crt (expected: the key that belongs to it)");
        assertThat(problemOfKey(RSA.getCertificatePEM()))
                .isEqualTo("no private key in it (expected: PEM, -----BEGIN PRIVATE KEY-----)");
        assertThat(problemOfKey(pem("ENCRYPTED PRIVATE KEY", new byte[9]))).isEqualTo(
                "a key with a passphrase (expected: one without: openssl pkey -in KEY -out NEW)");
        assertThat(problemOfKey("-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n"
                + "-----END RSA PRIVATE KEY-----\n")).startsWith("a key with a passphrase");
        String useless = "no key that can be used (expected: an RSA key or an EC key on a named curve)";
        assertThat(problemOfKey(pem("PRIVATE KEY", new byte[9]))).isEqualTo(useless);
        assertThat(problemOfKey(pem("DSA PRIVATE KEY", new byte[9]))).isEqualTo(useless);
        assertThat(problemOfKey(pem("EC PRIVATE KEY", sec1("")))).isEqualTo(useless);
        assertThat(problemOfKey(pem("EC PRIVATE KEY", new byte[] {0x30}))).isEqualTo(useless);
        assertThat(problemOfKey("-----BEGIN PRIVATE KEY-----\n!\n-----END PRIVATE KEY-----")).isEqualTo(
                "what follows -----BEGIN PRIVATE KEY----- is damaged (expected: Base64)");
    }

    private String problemOfKey(String text) throws IOException {
        Files.writeString(key, text);
        return problem("").replace("sluice.tls.private-key: a.key: ", "");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            nothing                                         | no certificate in it (expected: PEM, \
            -----BEGIN CERTIFICATE-----)
            -----BEGIN CERTIFICATE-----                     | no certificate in it (expected: PEM, \
            -----BEGIN CERTIFICATE-----)
            -----BEGIN CERTIFICATE-----AAAA-----END CERTIFICATE----- | certificate 1 is damaged (expected: \
            X.509)
            -----BEGIN CERTIFICATE-----A?AA-----END CERTIFICATE----- | what follows -----BEGIN \
            CERTIFICATE----- is damaged (expected: Base64)
            """)
    void invalidCertificatesAreReported(String text, String problem) throws IOException {
        Files.writeString(certificate, text);

        assertThat(problem("")).isEqualTo("sluice.tls.certificate: a.crt: " + problem);
    }

    @Test
    void readsNoPartOfALongerFile() throws Exception {
        Files.writeString(certificate, " ".repeat(1 << 20) + TestCertificates.LOCALHOST.getCertificatePEM());

        assertThat(problem("")).isEqualTo(
                "sluice.tls.certificate: a.crt: longer than 1 MiB (expected: at most that)");
    }

    @Test
    void invalidFurtherCertificatesAndAuthoritiesAreReported() throws Exception {
        String others = TestCertificates.write(folder, "b", TestCertificates.authority("nobody"));
        Path empty = Files.createFile(folder.resolve("empty"));

        assertThat(problem(", certificates = [{ " + others + " }]")).isEqualTo("sluice.tls.certificates"
                + ".0.certificate: b.crt: no client can ask for it (expected: a certificate with a DNS name "
                + "as subjectAltName)");
        assertThat(problem(", client-certificates = optional, client-authorities = \"" + empty + '"'))
                .startsWith("sluice.tls.client-authorities: empty: no certificate in it");
    }

    @Test
    void keysAreNotPrinted() throws Exception {
        Files.writeString(key, "secret", StandardCharsets.US_ASCII);
        TlsFiles files = TlsFiles.read(TlsServer.config(folder, "certificate = \"%s\", private-key = \"%s\""
                .formatted(certificate, key)));

        assertThat(files.toString()).contains("a.key").doesNotContain("secret", "BEGIN");
    }
}
