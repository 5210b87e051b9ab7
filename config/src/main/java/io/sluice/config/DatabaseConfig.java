package io.sluice.config;

import java.time.Duration;
import java.util.Optional;

/**
 * One database: {@code sluice.databases.<name>}.
 *
 * @param pool the offload pool whose workers use it; it has as many connections as that has workers
 * @param initScript a file or class-path resource with SQL that is run once before serving
 */
public record DatabaseConfig(
        String url,
        String user,
        String password,
        String pool,
        Optional<String> initScript,
        @Range(min = 250, max = Range.HOUR) Duration connectionTimeout,
        @Range(min = 100, max = Range.HOUR) Duration probeInterval) {

    /** Without the password. */
    @Override
    public String toString() {
        return "DatabaseConfig[url=" + url + ", user=" + user + ", pool=" + pool + ']';
    }
}
