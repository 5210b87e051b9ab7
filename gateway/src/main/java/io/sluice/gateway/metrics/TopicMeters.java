package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sluice.handlers.WebSocket.DropReason;
import io.sluice.handlers.topic.Topics;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The meters of topics, {@code sluice.topics.*} with the tag {@code topics}. */
record TopicMeters(String name, Topics topics) implements MeterBinder {
    private static final String PREFIX = "sluice.topics.";

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder(PREFIX + "subscribers", topics, all -> all.stats().subscribers())
                .description("Subscribers").tag("topics", name).register(registry);
        Gauge.builder(PREFIX + "pending", topics, all -> all.stats().bytesUnderWay()).baseUnit("bytes")
                .description("Messages not yet handed to every socket").tag("topics", name)
                .register(registry);
        counter(registry, "gaps", "Times that messages of a bus did not come, or came too fast, and were "
                + "read from its history", Topics.Stats::gaps);
        counter(registry, "recovered", "Messages that came from the history", Topics.Stats::recovered);
        for (DropReason reason : DropReason.values()) {
            FunctionCounter.builder(PREFIX + "dropped", topics, all -> all.dropped(reason))
                    .description("Messages for event streams that were dropped").tag("topics", name)
                    .tag("reason", reason.name().toLowerCase(Locale.ROOT)).register(registry);
        }
        counter(registry, "resyncs", "Times that subscribers were told that they may have missed messages",
                Topics.Stats::resyncs);
    }

    private void counter(MeterRegistry registry, String meter, String description,
                         ToDoubleFunction<Topics.Stats> value) {
        FunctionCounter.builder(PREFIX + meter, topics, all -> value.applyAsDouble(all.stats()))
                .description(description).tag("topics", name).register(registry);
    }
}
