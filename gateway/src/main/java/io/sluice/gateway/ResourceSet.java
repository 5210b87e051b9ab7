package io.sluice.gateway;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The resources of one kind by their names. Those of the site before are taken over where their configuration
 * is the same.
 *
 * @param <T> the class of their objects
 */
final class ResourceSet<T> {
    private final Map<String, Resource<T>> before;
    private final Map<String, Resource<T>> all = new LinkedHashMap<>();
    private final Map<String, T> objects = new LinkedHashMap<>();

    /** Starts a resource. */
    @FunctionalInterface
    interface Start<T> {
        Resource<T> start() throws StartException, InterruptedException;
    }

    /** An empty set, beside that of the site before; null where there is none. */
    ResourceSet(ResourceSet<T> before) {
        this.before = before == null ? Map.of() : Map.copyOf(before.all);
    }

    /** Takes a resource over, or starts it. */
    T add(String name, Object config, Start<T> start) throws StartException, InterruptedException {
        Resource<T> old = before.get(name);
        Resource<T> resource = old != null && old.config().equals(config) ? old : start.start();
        all.put(name, resource);
        objects.put(name, resource.object());
        return resource.object();
    }

    /** The objects by their names. */
    Map<String, T> objects() {
        return objects;
    }

    Stream<Resource<T>> all() {
        return all.values().stream();
    }

    /** Those that were not there before, by their names. */
    Map<String, Resource<T>> started() {
        var started = new LinkedHashMap<>(all);
        started.values().removeAll(before.values());
        return started;
    }

    /** Those of before that were not taken over. */
    Stream<Resource<T>> leftOver() {
        return before.values().stream().filter(resource -> !all.containsValue(resource));
    }
}
