package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.sluice.gateway.websocket.SocketMeter;
import io.sluice.handlers.live.LiveResults;
import io.sluice.handlers.topic.Topics;
import io.sluice.offload.jdbc.Database;
import io.sluice.offload.source.SourceStats;
import io.sluice.offload.source.TopicSource;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

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

    /** Adds the meter of a database; those of its connections are HikariCP's. */
    public void bind(String name, Database database) {
        Gauge.builder("sluice.database.reachable", database, of -> of.reachable() ? 1 : 0)
                .description("1 if the database was reachable when it was last probed, else 0")
                .tag("database", name).register(own);
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

    /** Adds the meters of a route's live results. */
    public void bind(String uri, LiveResults live) {
        Gauge.builder("sluice.live.results", live, all -> all.stats().results())
                .description("Different results that streams wait for").tag("uri", uri).register(own);
        Gauge.builder("sluice.live.streams", live, all -> all.stats().streams())
                .description("Streams that wait for results").tag("uri", uri).register(own);
        counter("runs", "Times that the query was run for all streams of a result", uri, live,
                LiveResults.Stats::runs);
        counter("unchanged", "Runs whose result was not sent, as it had not changed", uri, live,
                LiveResults.Stats::unchanged);
        counter("failures", "Runs that failed, of which streams were told", uri, live,
                LiveResults.Stats::failures);
    }

    private void counter(String meter, String description, String uri, LiveResults live,
                         ToDoubleFunction<LiveResults.Stats> value) {
        FunctionCounter.builder("sluice.live." + meter, live, all -> value.applyAsDouble(all.stats()))
                .description(description).tag("uri", uri).register(own);
    }

    /** Adds the meters of the source of topics. */
    public void bind(String name, TopicSource source) {
        counter(name, "messages", "Messages that topics took from the database", source,
                SourceStats::messages);
        counter(name, "batches", "Transactions in which the database was told of them", source,
                SourceStats::batches);
        counter(name, "failures", "Attempts that failed and are repeated", source, SourceStats::failures);
        gauge(name, "active", "Whether this node, not another one, reads", null, source,
                stats -> stats.active() ? 1 : 0);
        gauge(name, "lag", "Age of the oldest row in the outbox", "seconds", source, SourceStats::lagSeconds);
        gauge(name, "log", "Log that the replication slot keeps", "bytes", source, SourceStats::lagBytes);
    }

    private void counter(String name, String what, String description, TopicSource source,
                         ToDoubleFunction<SourceStats> value) {
        FunctionCounter.builder("sluice.topics.source." + what, source, of -> value.applyAsDouble(of.stats()))
                .description(description).tag("topics", name).register(own);
    }

    private void gauge(String name, String what, String description, @Nullable String unit,
                       TopicSource source, ToDoubleFunction<SourceStats> value) {
        Gauge.builder("sluice.topics.source." + what, source, of -> value.applyAsDouble(of.stats()))
                .description(description).baseUnit(unit).tag("topics", name).register(own);
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
