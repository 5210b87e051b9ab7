package io.sluice.gateway;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The resources of one kind in a site, by name. A resource of the previous site is taken over if its
 * configuration is the same.
 *
 * @param <T> the class of the objects
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

    /**
     * An empty set.
     *
     * @param before the set of the previous site; null at the start
     */
    ResourceSet(@Nullable ResourceSet<T> before) {
        this.before = before == null ? Map.of() : Map.copyOf(before.all);
    }

    /** Takes a resource over from the previous site, or starts it. */
    T add(String name, Object config, Start<T> start) throws StartException, InterruptedException {
        Resource<T> old = before.get(name);
        Resource<T> resource = old != null && old.config().equals(config) ? old : start.start();
        all.put(name, resource);
        objects.put(name, resource.object());
        return resource.object();
    }

    /** Returns the objects, by name. */
    Map<String, T> objects() {
        return objects;
    }

    Stream<Resource<T>> all() {
        return all.values().stream();
    }

    /** Returns the resources that the previous site does not have, by name. */
    Map<String, Resource<T>> started() {
        var started = new LinkedHashMap<>(all);
        started.values().removeAll(before.values());
        return started;
    }

    /** Returns the resources of the previous site that were not taken over. */
    Stream<Resource<T>> leftOver() {
        return before.values().stream().filter(resource -> !all.containsValue(resource));
    }
}
