package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.gateway.tls.HandshakeFailure;
import io.sluice.gateway.tls.TlsObserver;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The meters {@code sluice.tls.*} of the TLS listener. */
final class TlsMeters implements TlsObserver {
    private static final String PREFIX = "sluice.tls.";

    private final Map<String, Timer> handshakes;
    private final Map<HandshakeFailure, Counter> failed = new EnumMap<>(HandshakeFailure.class);
    /** NaN while no certificate is in use, so that no alert compares it. */
    private volatile double expirySeconds = Double.NaN;
    private volatile boolean stale;

    TlsMeters(MeterRegistry registry) {
        handshakes = Stream.of("TLSv1.2", "TLSv1.3").collect(Collectors.toMap(Function.identity(), version ->
                Timer.builder(PREFIX + "handshake").tag("version", version)
                        .description("From a client's first message to the end of the handshake")
                        .serviceLevelObjectives(Meters.FINE_BUCKETS).register(registry)));
        for (HandshakeFailure reason : HandshakeFailure.values()) {
            failed.put(reason, Counter.builder(PREFIX + "handshakes.failed")
                    .description("Handshakes that failed")
                    .tag("reason", reason.name().toLowerCase(Locale.ROOT)).register(registry));
        }
        Gauge.builder(PREFIX + "certificate.expiry", this, meters -> meters.expirySeconds).baseUnit("seconds")
                .description("When the first of the certificates expires, since 1970; NaN without one")
                .register(registry);
        Gauge.builder(PREFIX + "certificates.stale", this, meters -> meters.stale ? 1 : 0)
                .description("1 if changed files cannot be used, else 0").register(registry);
    }

    @Override
    @SuppressWarnings("NullAway") // no other version is enabled
    public void handshake(String version, long nanos) {
        handshakes.get(version).record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    @SuppressWarnings("NullAway") // there is a counter for each constant
    public void failed(HandshakeFailure reason) {
        failed.get(reason).increment();
    }

    @Override
    public void inUse(Instant expiry) {
        expirySeconds = expiry.getEpochSecond();
        stale = false;
    }

    @Override
    public void refused() {
        stale = true;
    }

    @Override
    public void noneInUse() {
        expirySeconds = Double.NaN;
        stale = false;
    }
}
