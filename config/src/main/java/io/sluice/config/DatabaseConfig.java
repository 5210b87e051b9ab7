package io.sluice.config;

import io.sluice.config.key.Range;
import io.sluice.config.key.Ref;
import io.sluice.config.session.SessionConfig;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.DatabaseUrl;
import io.sluice.config.type.ReadableFile;
import io.sluice.config.type.Secret;
import io.sluice.config.type.ZoneName;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One database: {@code sluice.databases.<name>}.
 *
 * @param pool the offload pool whose workers use the database; it has one connection for each worker
 * @param fetchBuffer the memory for rows that a connection fetches at a time
 * @param initScript files or class-path resources with SQL, run in this order before serving
 * @param timeZone the time zone of sessions, which applies to timestamps without an offset
 * @param passwordFile a file whose first line is the password, read for each connection
 * @param properties of the driver; those in the URL override them
 * @param session settings of PostgreSQL's sessions
 * @param affectsReadiness whether the gateway is not ready while the database is unreachable
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
        @Range(min = 100, max = Range.HOUR) Duration probeInterval,
        Optional<ReadableFile> passwordFile,
        Map<String, Secret> properties,
        SessionConfig session,
        boolean affectsReadiness) {

    /** Returns whether the database is of a product, by the prefix of the JDBC URL. */
    public boolean isFor(String product) {
        return url.text().startsWith("jdbc:" + product + ':');
    }
}
