package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.sluice.gateway.websocket.SocketMeter;
import io.sluice.handlers.websocket.Topics;

/**
 * The meters of one resource, which are published while the resource is in use. Of two resources of one name,
 * in the moment of a reload, one is published; what the other one counts is not seen.
 */
public final class MeterScope {
    private final MeterRegistry published;
    private final CompositeMeterRegistry own;

    /** Meters that are not published yet. */
    MeterScope(MeterRegistry published, Clock clock) {
        this.published = published;
        own = new CompositeMeterRegistry(clock);
    }

    /** For libraries that bring meters of their own: a Micrometer registry. */
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

    /** Meters topics. */
    public void bind(String name, Topics topics) {
        Gauge.builder("sluice.topics.subscribers", topics, all -> all.stats().subscribers())
                .description("Sockets that get messages").tag("topics", name).register(own);
        Gauge.builder("sluice.topics.pending", topics, all -> all.stats().bytesUnderWay()).baseUnit("bytes")
                .description("Messages not yet handed to every socket").tag("topics", name).register(own);
    }

    /** Publishes the meters, with those that are registered later. */
    public void publish() {
        own.add(published);
    }

    /** Removes the meters from what is scraped. */
    public void withdraw() {
        own.remove(published);
        own.getMeters().forEach(meter -> published.removeByPreFilterId(meter.getId()));
    }
}
