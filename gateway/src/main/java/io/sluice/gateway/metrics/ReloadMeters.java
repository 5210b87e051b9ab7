package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/** The meters {@code config.reload.*} of configuration reloads. */
public final class ReloadMeters {
    private final Timer succeeded;
    private final Timer failed;
    private volatile boolean lastSucceeded = true;
    private volatile double successSeconds;

    ReloadMeters(MeterRegistry registry) {
        succeeded = timer(registry, "success");
        failed = timer(registry, "failure");
        successSeconds = registry.config().clock().wallTime() / 1e3;
        Gauge.builder("config.reload.last.success", () -> lastSucceeded ? 1 : 0)
                .description("Whether the configuration in effect is that of the last reload")
                .register(registry);
        Gauge.builder("config.reload.last.success.timestamp", () -> successSeconds).baseUnit("seconds")
                .description("When the configuration in effect was loaded, since 1970").register(registry);
    }

    private static Timer timer(MeterRegistry registry, String result) {
        return Timer.builder("config.reload").description("Reloads of the configuration")
                .tag("result", result).register(registry);
    }

    /** Records a reload. */
    public void ended(boolean success, long nanos) {
        (success ? succeeded : failed).record(nanos, TimeUnit.NANOSECONDS);
        lastSucceeded = success;
        if (success) {
            successSeconds = System.currentTimeMillis() / 1e3;
        }
    }
}
