package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sluice.handlers.live.LiveResults;
import java.util.function.ToDoubleFunction;

/** The meters of a route's live results, {@code sluice.live.*} with the tag {@code uri}. */
record LiveMeters(String uri, LiveResults live) implements MeterBinder {
    private static final String PREFIX = "sluice.live.";

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder(PREFIX + "results", live, all -> all.stats().results())
                .description("Different results that streams wait for").tag("uri", uri).register(registry);
        Gauge.builder(PREFIX + "streams", live, all -> all.stats().streams())
                .description("Streams that wait for results").tag("uri", uri).register(registry);
        counter(registry, "runs", "Times that the query was run for all streams of a result",
                LiveResults.Stats::runs);
        counter(registry, "unchanged", "Runs whose result was not sent, as it had not changed",
                LiveResults.Stats::unchanged);
        counter(registry, "failures", "Runs that failed, of which streams were told",
                LiveResults.Stats::failures);
    }

    private void counter(MeterRegistry registry, String meter, String description,
                         ToDoubleFunction<LiveResults.Stats> value) {
        FunctionCounter.builder(PREFIX + meter, live, all -> value.applyAsDouble(all.stats()))
                .description(description).tag("uri", uri).register(registry);
    }
}
