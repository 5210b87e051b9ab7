package io.sluice.handlers.presence;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A roster of several gateways within the JVM, which forgets those that do not report. Thread-safe. */
public final class MemoryRoster implements Roster {
    private final Map<String, Topic> topics = new HashMap<>();
    private long versions;

    private static final class Topic {
        final Map<String, Gateway> gateways = new HashMap<>();
        final Set<String> names = new LinkedHashSet<>();
        String version = "";
    }

    private static final class Gateway {
        final Set<String> names = new LinkedHashSet<>();
        int anonymous;
        long number;
        long expiresAt;

        Gateway copy() {
            var copy = new Gateway();
            copy.names.addAll(names);
            copy.anonymous = anonymous;
            copy.number = number;
            copy.expiresAt = expiresAt;
            return copy;
        }
    }

    public synchronized void clear() {
        topics.clear();
    }

    /** Returns an action that restores the present state of a topic. */
    public synchronized Runnable remember(String name) {
        Topic topic = topics.get(name);
        var kept = new Topic();
        topic.gateways.forEach((id, gateway) -> kept.gateways.put(id, gateway.copy()));
        kept.names.addAll(topic.names);
        kept.version = topic.version;
        return () -> {
            synchronized (this) {
                topics.put(name, kept);
            }
        };
    }

    @Override
    public synchronized CompletableFuture<Answer> report(String name, Report report) {
        Topic topic = topics.computeIfAbsent(name, _ -> new Topic());
        List<Object> before = List.of(List.copyOf(topic.names), anonymous(topic));
        topic.gateways.values().removeIf(gateway -> System.nanoTime() - gateway.expiresAt > 0);
        int here = report.gateway().isEmpty() ? 0 : apply(report, topic);
        topic.names.removeIf(member ->
                topic.gateways.values().stream().noneMatch(gateway -> gateway.names.contains(member)));
        if (!before.equals(List.of(List.copyOf(topic.names), anonymous(topic)))) {
            topic.version = Long.toString(++versions);
        }
        PresenceState state = report.limit() == 0 || topic.version.equals(report.known()) ? null
                : new PresenceState(topic.version, topic.names.size(), anonymous(topic),
                        topic.names.stream().limit(report.limit()).toList());
        return CompletableFuture.completedFuture(new Answer(here, false, state));
    }

    private static int apply(Report report, Topic topic) {
        Gateway gateway = topic.gateways.computeIfAbsent(report.gateway(), _ -> new Gateway());
        boolean lost = gateway.number < report.confirmed();
        if (report.hasNames() && !lost) {
            gateway.number = report.number();
        }
        gateway.names.addAll(report.joining());
        gateway.names.removeAll(report.leaving());
        topic.names.addAll(report.joining());
        gateway.anonymous = report.anonymous();
        gateway.expiresAt = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(report.expiryMillis());
        if (gateway.names.isEmpty() && gateway.anonymous == 0) {
            topic.gateways.remove(report.gateway());
        }
        return lost ? -1 : gateway.names.size();
    }

    private static int anonymous(Topic topic) {
        return topic.gateways.values().stream().mapToInt(gateway -> gateway.anonymous).sum();
    }
}
