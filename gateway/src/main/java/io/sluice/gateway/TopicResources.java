package io.sluice.gateway;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.GatewayConfig;
import io.sluice.config.read.TunnelConfig;
import io.sluice.config.topic.BusConfig;
import io.sluice.config.topic.SourceConfig;
import io.sluice.config.topic.TopicsConfig;
import io.sluice.gateway.metrics.BusMeters;
import io.sluice.gateway.metrics.MeterScope;
import io.sluice.gateway.metrics.Meters;
import io.sluice.gateway.net.Transport;
import io.sluice.handlers.bus.redis.RedisBus;
import io.sluice.handlers.live.LiveResults;
import io.sluice.handlers.publish.TopicSink;
import io.sluice.handlers.topic.Topics;
import io.sluice.offload.source.TopicSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The topics of a site, the buses that carry them, and the sources that publish messages of databases to
 * them. A bus is taken over if its configuration is the same. Topics are taken over together with their bus,
 * and apply changes of their other keys.
 */
final class TopicResources {
    private final GatewayConfig config;
    private final Meters meters;
    private final ResourceSet<RedisBus> buses;
    private final ResourceSet<Topics> topics;
    /** The sources, by the names of their topics. */
    private final ResourceSet<TopicSource> sources;
    /** The live results, by the names of their routes. */
    private final ResourceSet<LiveResults> live;

    /**
     * Resources of a configuration; starts nothing yet.
     *
     * @param before those of the previous site; null at the start
     */
    TopicResources(GatewayConfig config, Meters meters, @Nullable TopicResources before) {
        this.config = config;
        this.meters = meters;
        buses = ResourceSet.after(before, last -> last.buses);
        topics = ResourceSet.after(before, last -> last.topics);
        sources = ResourceSet.after(before, last -> last.sources);
        live = ResourceSet.after(before, last -> last.live);
    }

    /**
     * Starts new buses and topics, but no sources. Does not wait for a bus; see {@link #awaitBuses}.
     *
     * @param changes receives actions that apply new settings to the topics that were taken over
     */
    void start(List<Runnable> changes) throws StartException, InterruptedException {
        buses.addAll(config.buses(), bus -> bus, this::startBus);
        for (Map.Entry<String, TopicsConfig> set : config.topics().entrySet()) {
            Topics shared = topics.add(set.getKey(), TunnelConfig.carrier(config, set.getKey()),
                    () -> startTopics(set.getKey(), set.getValue()));
            changes.add(() -> shared.update(set.getValue()));
            SourceConfig source = set.getValue().source().orElse(null);
            if (source != null) {
                addSource(set.getKey(), source, shared);
            }
        }
    }

    /** Waits until the new buses are connected, or until the time is up. Blocks. */
    void awaitBuses(long timeout, TimeUnit unit) throws InterruptedException {
        long end = System.nanoTime() + unit.toNanos(timeout);
        for (Resource<RedisBus> bus : buses.started().values()) {
            bus.object().awaitConnected(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
    }

    private void addSource(String name, SourceConfig source, Topics shared)
            throws StartException, InterruptedException {
        DatabaseConfig database = Resources.require(config.databases(), source.database());
        sources.add(name, List.of(source, database, TunnelConfig.carrier(config, name)), () -> {
            var added = new TopicSource(name, source, database, new TopicSink(shared));
            MeterScope scope = meters.scope();
            scope.bind(name, added);
            return new Resource<>(added, scope, added);
        });
    }

    /** Stops the sources that were not taken over, without waiting for them. */
    void stopSources() {
        sources.leftOver().forEach(source -> source.object().stop());
    }

    /** Starts the sources that do not run yet. */
    void startSources() {
        sources.all().forEach(source -> source.object().start());
    }

    private Resource<RedisBus> startBus(String name, BusConfig bus) {
        MeterScope scope = meters.scope();
        BusMeters observer = scope.bus(name);
        var started = new RedisBus(name, bus, Transport.ALLOCATOR, observer);
        observer.bind(started);
        return new Resource<>(started, scope, started);
    }

    private Resource<Topics> startTopics(String name, TopicsConfig set) {
        Topics started = set.bus().map(bus -> new Topics(name, set, Resources.require(buses.objects(), bus)))
                .orElseGet(() -> new Topics(set));
        MeterScope scope = meters.scope();
        scope.bind(name, started);
        return new Resource<>(started, scope, started);
    }

    /**
     * Returns the live results of a route. A reload keeps them with their streams if {@code madeFrom} is
     * unchanged; otherwise the streams are drained.
     */
    LiveResults live(String route, String uri, Object madeFrom, Supplier<LiveResults> start)
            throws StartException, InterruptedException {
        return live.add(route, madeFrom, () -> {
            LiveResults started = start.get();
            MeterScope scope = meters.scope();
            scope.bind(uri, started);
            return new Resource<>(started, scope, () -> { });
        });
    }

    /** Returns the topics of a name that the check of the configuration has found. */
    Topics require(String set) {
        return Resources.require(topics.objects(), set);
    }

    ResourceSet<RedisBus> buses() {
        return buses;
    }

    /** Returns all, in the order in which to close them. */
    Stream<ResourceSet<?>> sets() {
        return Stream.of(live, sources, topics, buses);
    }
}
