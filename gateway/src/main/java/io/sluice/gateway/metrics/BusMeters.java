package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.handlers.topic.Bus;
import io.sluice.handlers.topic.BusObserver;
import java.time.Duration;

/** The meters of a bus, {@code sluice.bus.*} with the tag {@code bus}. */
public final class BusMeters implements BusObserver {
    private static final String PREFIX = "sluice.bus.";

    private final MeterRegistry registry;
    private final String bus;
    private final Timer publish;
    private final Counter refused;
    private final Counter reconnects;

    BusMeters(MeterRegistry registry, String bus) {
        this.registry = registry;
        this.bus = bus;
        publish = Timer.builder(PREFIX + "publish").description("Time until the bus confirmed a message")
                .tag("bus", bus).serviceLevelObjectives(Meters.FINE_BUCKETS).register(registry);
        refused = counter("refused", "Messages that were not published, or may not have been");
        reconnects = counter("reconnects", "Connections that were opened again");
    }

    private Counter counter(String name, String description) {
        return Counter.builder(PREFIX + name).description(description).tag("bus", bus).register(registry);
    }

    /** Adds gauges of the bus's state. */
    public void bind(Bus started) {
        Gauge.builder(PREFIX + "connected", started, state -> state.state().connected() ? 1 : 0)
                .description("1 if the bus is connected, else 0").tag("bus", bus).register(registry);
        Gauge.builder(PREFIX + "queue", started, state -> state.state().underWay())
                .description("Messages that the bus has not confirmed").tag("bus", bus).register(registry);
    }

    @Override
    public void published(long nanos) {
        publish.record(Duration.ofNanos(nanos));
    }

    @Override
    public void refused() {
        refused.increment();
    }

    @Override
    public void reconnected() {
        reconnects.increment();
    }
}
