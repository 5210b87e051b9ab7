package io.sluice.gateway.websocket;

import io.sluice.config.SocketConfig;
import io.sluice.config.TimeoutsConfig;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.OriginPattern;
import io.sluice.gateway.http1.EmbeddedGateway;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The configuration of a socket. By default its timeouts are too long to occur in a test. */
public final class SocketSettings {
    /** A pace at which 64 KiB take 4 s. */
    static final Map<String, String> PACE = Map.of("sluice.server.timeouts.stall", "1s",
            "sluice.server.timeouts.min-rate", "16384");
    static final TimeoutsConfig TIMEOUTS = EmbeddedGateway.config(PACE).timeouts();

    private long maxFrame = 1 << 20;
    private long maxMessage = 1 << 20;
    private boolean compression = true;
    private long compressFrom = 1024;
    private Duration pingInterval = Duration.ofMinutes(1);
    private Duration idleTimeout = Duration.ofMinutes(2);
    private Duration closeTimeout = Duration.ofSeconds(10);
    private Set<OriginPattern> origins = Set.of(OriginPattern.parse("self"));
    private Set<String> subprotocols;

    SocketSettings limits(long frame, long message) {
        maxFrame = frame;
        maxMessage = message;
        return this;
    }

    SocketSettings compression(boolean on) {
        compression = on;
        return this;
    }

    SocketSettings compressFrom(long bytes) {
        compressFrom = bytes;
        return this;
    }

    SocketSettings keepAlive(long pingMillis, long idleMillis) {
        pingInterval = Duration.ofMillis(pingMillis);
        idleTimeout = Duration.ofMillis(idleMillis);
        return this;
    }

    SocketSettings closeTimeout(long millis) {
        closeTimeout = Duration.ofMillis(millis);
        return this;
    }

    SocketSettings origins(String... patterns) {
        var set = new HashSet<OriginPattern>();
        for (String pattern : patterns) {
            set.add(OriginPattern.parse(pattern));
        }
        origins = set;
        return this;
    }

    SocketSettings subprotocols(String... names) {
        subprotocols = Set.of(names);
        return this;
    }

    SocketConfig config() {
        return new SocketConfig(new ByteSize(maxFrame), new ByteSize(maxMessage), compression,
                new ByteSize(compressFrom), pingInterval, idleTimeout, closeTimeout, origins,
                Optional.ofNullable(subprotocols));
    }
}
