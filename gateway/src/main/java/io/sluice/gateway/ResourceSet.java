package io.sluice.gateway;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The resources of one kind in a site, by name. A resource of the previous site is taken over if it was made
 * from the same configuration.
 *
 * @param <T> the class of the objects
 */
final class ResourceSet<T> {
    private final Map<String, Resource<T>> before;
    private final Map<String, Object> madeFromBefore;
    private final Map<String, Resource<T>> all = new LinkedHashMap<>();
    /** The configuration that each resource was made from, by name. */
    private final Map<String, Object> madeFrom = new HashMap<>();
    private final Map<String, T> objects = new LinkedHashMap<>();

    /** Starts a resource of a configuration. */
    @FunctionalInterface
    interface StartByName<C, T> {
        Resource<T> start(String name, C config) throws StartException, InterruptedException;
    }

    /** Starts a resource. */
    @FunctionalInterface
    interface Start<T> {
        Resource<T> start() throws StartException, InterruptedException;
    }

    private ResourceSet(Map<String, Resource<T>> before, Map<String, Object> madeFromBefore) {
        this.before = Map.copyOf(before);
        this.madeFromBefore = Map.copyOf(madeFromBefore);
    }

    /**
     * Returns an empty set.
     *
     * @param site the resources of the previous site; null at the start
     * @param set returns the set of the same kind among them
     */
    static <S, T> ResourceSet<T> after(@Nullable S site, Function<S, ResourceSet<T>> set) {
        if (site == null) {
            return new ResourceSet<>(Map.of(), Map.of());
        }
        ResourceSet<T> before = set.apply(site);
        return new ResourceSet<>(before.all, before.madeFrom);
    }

    /**
     * Takes a resource over from the previous site, or starts it.
     *
     * @param from the configuration that it is made from
     */
    T add(String name, Object from, Start<T> start) throws StartException, InterruptedException {
        Resource<T> old = before.get(name);
        Resource<T> resource = old != null && from.equals(madeFromBefore.get(name)) ? old : start.start();
        all.put(name, resource);
        madeFrom.put(name, from);
        objects.put(name, resource.object());
        return resource.object();
    }

    /**
     * Takes resources over from the previous site, or starts them.
     *
     * @param configs their configurations, by name
     * @param from returns the configuration that one is made from, with that of others that it uses
     */
    <C> void addAll(Map<String, C> configs, Function<C, Object> from, StartByName<C, T> start)
            throws StartException, InterruptedException {
        for (Map.Entry<String, C> config : configs.entrySet()) {
            add(config.getKey(), from.apply(config.getValue()),
                    () -> start.start(config.getKey(), config.getValue()));
        }
    }

    /** Returns the object of this name in the previous site; null if it had none. */
    @Nullable T before(String name) {
        Resource<T> old = before.get(name);
        return old == null ? null : old.object();
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
