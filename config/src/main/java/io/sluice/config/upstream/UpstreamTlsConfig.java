package io.sluice.config.upstream;

import io.sluice.config.type.ReadableFile;
import java.util.Optional;

/**
 * TLS to the https endpoints of an upstream: {@code tls}. Certificates of endpoints are always verified.
 *
 * @param ca PEM, the trusted authorities; empty for those of the Java runtime
 * @param serverName the name in SNI and in the endpoints' certificates; empty for that of each endpoint's URL
 * @param certificate PEM, the client's certificate first, then its issuers
 * @param privateKey its key, not encrypted; present if the certificate is
 */
public record UpstreamTlsConfig(
        Optional<ReadableFile> ca,
        Optional<String> serverName,
        Optional<ReadableFile> certificate,
        Optional<ReadableFile> privateKey) {
}
