package io.sluice.offload.jdbc;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.session.SessionConfig;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.DatabaseUrl;
import io.sluice.config.type.Secret;
import io.sluice.config.type.ZoneName;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Configurations of databases without a password. */
final class DatabaseConfigs {

    private DatabaseConfigs() {
    }

    static DatabaseConfig of(String url, Duration connectionTimeout, Duration probeInterval) {
        return new DatabaseConfig(new DatabaseUrl(url), "", new Secret(""), "sql", Optional.empty(),
                new ByteSize(1 << 20), new ZoneName("UTC"), connectionTimeout, probeInterval,
                Optional.empty(), Map.of(), SessionConfig.NONE, true);
    }
}
