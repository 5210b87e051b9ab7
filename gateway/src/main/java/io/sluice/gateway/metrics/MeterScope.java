package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.sluice.gateway.websocket.SocketMeter;
import io.sluice.handlers.topic.Topics;
import java.util.function.ToDoubleFunction;

/**
 * The meters of one resource, published while the resource is in use. During a reload there can be two
 * resources of one name; only the meters of one of them are published, and the counts of the other are lost.
 */
public final class MeterScope {
    private final MeterRegistry published;
    private final CompositeMeterRegistry own;

    /** Meters that are not published yet. */
    MeterScope(MeterRegistry published, Clock clock) {
        this.published = published;
        own = new CompositeMeterRegistry(clock);
    }

    /** A Micrometer registry, for libraries that register meters themselves. */
    public Object registry() {
        return own;
    }

    /** Meters for an offload pool. */
    public PoolMeters pool(String name) {
        return new PoolMeters(own, name);
    }

    /** Meters for the WebSockets of a route. */
    public SocketMeter sockets(String uri) {
        return new SocketMeters(own, uri);
    }

    /** Meters for a bus. */
    public BusMeters bus(String name) {
        return new BusMeters(own, name);
    }

    /** Adds the meters of topics. */
    public void bind(String name, Topics topics) {
        Gauge.builder("sluice.topics.subscribers", topics, all -> all.stats().subscribers())
                .description("Sockets that get messages").tag("topics", name).register(own);
        Gauge.builder("sluice.topics.pending", topics, all -> all.stats().bytesUnderWay()).baseUnit("bytes")
                .description("Messages not yet handed to every socket").tag("topics", name).register(own);
        counter("gaps", "Times that messages of a bus did not come, or came too fast, and were read from its "
                + "history", name, topics, Topics.Stats::gaps);
        counter("recovered", "Messages that came from the history", name, topics, Topics.Stats::recovered);
        counter("dropped", "Messages that a slow client of an event stream did not get", name, topics,
                Topics.Stats::dropped);
        counter("resyncs", "Times that subscribers were told that they may have missed messages", name,
                topics, Topics.Stats::resyncs);
    }

    private void counter(String meter, String description, String name, Topics topics,
                         ToDoubleFunction<Topics.Stats> value) {
        FunctionCounter.builder("sluice.topics." + meter, topics, all -> value.applyAsDouble(all.stats()))
                .description(description).tag("topics", name).register(own);
    }

    /** Publishes the meters, including those that are registered later. */
    public void publish() {
        own.add(published);
    }

    /** Removes the meters from the published ones. */
    public void withdraw() {
        own.remove(published);
        own.getMeters().forEach(meter -> published.removeByPreFilterId(meter.getId()));
    }
}
