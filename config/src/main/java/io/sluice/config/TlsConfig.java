package io.sluice.config;

import io.sluice.config.key.Range;
import io.sluice.config.type.ReadableFile;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * The public TLS listener: {@code sluice.tls}. It opens if there is a certificate.
 *
 * @param certificate the certificate for clients without SNI, or with a name that no other certificate has
 * @param privateKey its key; present if the certificate is
 * @param certificates further certificates, selected by the client's SNI
 * @param clientAuthorities the issuers of client certificates; present if client certificates are requested
 * @param hsts the max-age of Strict-Transport-Security (RFC 6797); absent: no such header
 */
public record TlsConfig(
        String host,
        @Range(max = 65_535) int port,
        Optional<ReadableFile> certificate,
        Optional<ReadableFile> privateKey,
        Optional<Set<CertificateConfig>> certificates,
        ClientCertificates clientCertificates,
        Optional<ReadableFile> clientAuthorities,
        Provider provider,
        @Range(min = 100, max = Range.DAY) Duration reloadInterval,
        @Range(min = 100, max = Range.HOUR) Duration handshakeTimeout,
        @Range(max = 2 * 366 * Range.DAY) Optional<Duration> hsts) {

    /** Indicates whether clients are asked for a certificate; one that is shown must be valid. */
    public enum ClientCertificates { NONE, OPTIONAL, REQUIRED }

    /** The TLS implementation; {@code AUTO} is OpenSSL if it loads, else that of the JDK. */
    public enum Provider { AUTO, OPENSSL, JDK }

    /** Returns whether the listener is configured. */
    public boolean enabled() {
        return certificate.isPresent();
    }
}
