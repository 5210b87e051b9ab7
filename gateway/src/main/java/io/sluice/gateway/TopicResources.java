package io.sluice.gateway;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.GatewayConfig;
import io.sluice.config.topic.SourceConfig;
import io.sluice.config.topic.TopicsConfig;
import io.sluice.gateway.metrics.MeterScope;
import io.sluice.gateway.metrics.Meters;
import io.sluice.handlers.websocket.TopicSink;
import io.sluice.handlers.websocket.Topics;
import io.sluice.offload.source.TopicSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The topics of a site, and the sources that publish the messages of databases to them. */
final class TopicResources {
    private final ResourceSet<Topics> topics;
    /** By the names of their topics. */
    private final ResourceSet<TopicSource> sources;
    /** Apply new settings to topics that were taken over. */
    private final List<Runnable> changes = new ArrayList<>();

    /**
     * Empty.
     *
     * @param before those of the previous site; null at the start
     */
    TopicResources(@Nullable TopicResources before) {
        topics = new ResourceSet<>(before == null ? null : before.topics);
        sources = new ResourceSet<>(before == null ? null : before.sources);
    }

    /** Creates the topics and sources of a configuration, or takes them over. */
    void add(GatewayConfig config, Meters meters) throws StartException, InterruptedException {
        for (Map.Entry<String, TopicsConfig> entry : config.topics().entrySet()) {
            String name = entry.getKey();
            Topics shared = topics.add(name, "any", () -> {
                var started = new Topics(entry.getValue());
                MeterScope scope = meters.scope();
                scope.bind(name, started);
                return new Resource<>("any", started, scope, () -> true, started);
            });
            changes.add(() -> shared.follow(entry.getValue()));
            SourceConfig source = entry.getValue().source().orElse(null);
            if (source != null) {
                add(name, source, Resources.named(source.database(), config.databases()), shared, meters);
            }
        }
    }

    private void add(String name, SourceConfig source, DatabaseConfig database, Topics shared, Meters meters)
            throws StartException, InterruptedException {
        List<Object> made = List.of(source, database);
        sources.add(name, made, () -> {
            var added = new TopicSource(name, source, database, new TopicSink(shared));
            MeterScope scope = meters.scope();
            scope.bind(name, added);
            return new Resource<>(made, added, scope, () -> true, added);
        });
    }

    /** Applies changed settings, and stops the sources that were not taken over, without waiting for them. */
    void use() {
        changes.forEach(Runnable::run);
        changes.clear();
        sources.leftOver().forEach(source -> source.object().stop());
    }

    /** Starts the sources that are new. */
    void startSources() {
        sources.started().values().forEach(source -> source.object().start());
    }

    /** Returns all, in the order in which to close them. */
    Stream<ResourceSet<?>> sets() {
        return Stream.of(sources, topics);
    }

    /** Returns the topics, by name. */
    Map<String, Topics> objects() {
        return topics.objects();
    }
}
