package io.sluice.config;

import io.sluice.config.key.Range;
import io.sluice.config.key.Ref;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.DatabaseUrl;
import io.sluice.config.type.Secret;
import io.sluice.config.type.ZoneName;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * One database: {@code sluice.databases.<name>}.
 *
 * @param pool the offload pool whose workers use the database; it has one connection for each worker
 * @param fetchBuffer the memory for rows that a connection fetches at a time
 * @param initScript files or class-path resources with SQL, run in this order before serving
 * @param timeZone the time zone of sessions, which applies to timestamps without an offset
 */
public record DatabaseConfig(
        DatabaseUrl url,
        String user,
        Secret password,
        @Ref("offload.pools") String pool,
        Optional<Set<String>> initScript,
        @Range(min = 16 * 1024, max = Range.GIB) ByteSize fetchBuffer,
        ZoneName timeZone,
        @Range(min = 250, max = Range.HOUR) Duration connectionTimeout,
        @Range(min = 100, max = Range.HOUR) Duration probeInterval) {
}
