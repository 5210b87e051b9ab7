package io.sluice.offload;

import io.sluice.config.DatabaseConfig;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/** What a driver is told beside its URL, so that it gives up where nobody answers. */
final class DriverTimeouts {
    private static final long SECOND = TimeUnit.SECONDS.toMillis(1);

    private DriverTimeouts() {
    }

    /** For PostgreSQL's, whose own are 10 s or none; what the URL says comes first. Others have none. */
    static Properties of(DatabaseConfig config) {
        var properties = new Properties();
        if (config.url().startsWith("jdbc:postgresql:")) {
            String seconds = String.valueOf(Math.ceilDiv(config.connectionTimeout().toMillis(), SECOND));
            properties.setProperty("connectTimeout", seconds);
            properties.setProperty("loginTimeout", seconds);
            properties.setProperty("cancelSignalTimeout", "1");
        }
        return properties;
    }
}
