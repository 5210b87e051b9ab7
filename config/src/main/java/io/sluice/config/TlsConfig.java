package io.sluice.config;

import io.sluice.config.type.ReadableFile;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * The public listener that speaks TLS: {@code sluice.tls}. There is one where there is a certificate.
 *
 * @param certificate for clients that ask for no name, or for one that no other certificate is for
 * @param privateKey that goes with it; there whenever that is
 * @param certificates more, for clients that ask for one of their names
 * @param clientAuthorities who vouches for clients; there whenever they are asked for certificates
 * @param hsts for how long browsers are to come by https only; absent: they are not told
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

    /** Whether clients have to show a certificate. */
    public enum ClientCertificates { NONE, OPTIONAL, REQUIRED }

    /** Whose TLS it is. */
    public enum Provider { AUTO, OPENSSL, JDK }

    /** Whether there is such a listener. */
    public boolean enabled() {
        return certificate.isPresent();
    }
}
