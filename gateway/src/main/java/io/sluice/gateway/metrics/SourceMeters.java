package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sluice.offload.source.SourceStats;
import io.sluice.offload.source.TopicSource;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The meters of the source of topics, {@code sluice.topics.source.*} with the tag {@code topics}. */
record SourceMeters(String topics, TopicSource source) implements MeterBinder {
    private static final String PREFIX = "sluice.topics.source.";

    @Override
    public void bindTo(MeterRegistry registry) {
        counter(registry, "messages", "Messages that topics took from the database", SourceStats::messages);
        counter(registry, "batches", "Batches confirmed to the database", SourceStats::batches);
        counter(registry, "failures", "Attempts that failed and are repeated", SourceStats::failures);
        gauge(registry, "active", "1 if this gateway reads the database, 0 if another one does", null,
                stats -> stats.active() ? 1 : 0);
        gauge(registry, "lag", "Age of the oldest row in the outbox", "seconds", SourceStats::lagSeconds);
        gauge(registry, "log", "Log that the replication slot keeps", "bytes", SourceStats::lagBytes);
    }

    private void counter(MeterRegistry registry, String meter, String description,
                         ToDoubleFunction<SourceStats> value) {
        FunctionCounter.builder(PREFIX + meter, source, of -> value.applyAsDouble(of.stats()))
                .description(description).tag("topics", topics).register(registry);
    }

    private void gauge(MeterRegistry registry, String meter, String description, @Nullable String unit,
                       ToDoubleFunction<SourceStats> value) {
        Gauge.builder(PREFIX + meter, source, of -> value.applyAsDouble(of.stats()))
                .description(description).baseUnit(unit).tag("topics", topics).register(registry);
    }
}
