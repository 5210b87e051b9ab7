package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.sluice.gateway.websocket.SocketObserver;
import io.sluice.handlers.live.LiveResults;
import io.sluice.handlers.topic.Topics;
import io.sluice.offload.jdbc.Database;
import io.sluice.offload.source.TopicSource;

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

    /** Returns a Micrometer registry, for libraries that register meters themselves. */
    public Object registry() {
        return own;
    }

    /** Returns meters for an offload pool. */
    public PoolMeters pool(String name) {
        return new PoolMeters(own, name);
    }

    /** Returns meters for the WebSockets of a route. */
    public SocketObserver sockets(String uri) {
        return new SocketMeters(own, uri);
    }

    /** Returns meters for a bus. */
    public BusMeters bus(String name) {
        return new BusMeters(own, name);
    }

    /** Adds the meter of a database; those of its connections are HikariCP's. */
    public void bind(String name, Database database) {
        Gauge.builder("sluice.database.reachable", database, of -> of.reachable() ? 1 : 0)
                .description("1 if the database was reachable when it was last probed, else 0")
                .tag("database", name).register(own);
    }

    /** Adds the meters of topics. */
    public void bind(String name, Topics topics) {
        new TopicMeters(name, topics).bindTo(own);
    }

    /** Adds the meters of a route's live results. */
    public void bind(String uri, LiveResults live) {
        new LiveMeters(uri, live).bindTo(own);
    }

    /** Adds the meters of the source of topics. */
    public void bind(String name, TopicSource source) {
        new SourceMeters(name, source).bindTo(own);
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
