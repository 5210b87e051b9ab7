package io.sluice.config.topic;

import io.sluice.config.key.Range;
import io.sluice.config.type.ReadableFile;
import io.sluice.config.upstream.UpstreamTlsConfig;
import java.time.Duration;
import java.util.Optional;

/**
 * A Redis or Valkey that carries messages of topics between gateways: {@code sluice.buses.<name>}.
 *
 * @param url the server, or the servers to ask for it
 * @param cluster whether the servers are nodes of a cluster
 * @param username the user; empty for the default user
 * @param passwordFile a file with the password, read for each connection; empty for none
 * @param tls TLS to a server whose URL is rediss
 * @param connectTimeout the time for opening a connection
 * @param publishTimeout the time in which the bus has to answer; then a publication gets 503
 * @param queueLimit the largest number of commands that are not answered
 * @param keyPrefix the beginning of all keys and channels
 */
public record BusConfig(
        BusUrl url,
        boolean cluster,
        Optional<String> username,
        Optional<ReadableFile> passwordFile,
        UpstreamTlsConfig tls,
        @Range(min = 1, max = Range.HOUR) Duration connectTimeout,
        @Range(min = 1, max = Range.HOUR) Duration publishTimeout,
        @Range(min = 1, max = 1_000_000) int queueLimit,
        String keyPrefix) {
}
