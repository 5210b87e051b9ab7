package io.sluice.gateway;

import io.sluice.gateway.metrics.MeterScope;
import io.sluice.gateway.routing.RoutingTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * An object that handlers use and that is kept across reloads that do not change its configuration. Its
 * meters are published while it belongs to the current site. Not thread-safe.
 */
final class Resource<T> {
    private final T object;
    private final MeterScope meters;
    private final BooleanSupplier idle;
    private final AutoCloseable closing;
    /** The routes of each site that has used it, without sites on which no request runs any more. */
    private final List<RoutingTable> users = new ArrayList<>();

    /**
     * A started resource that only requests of its sites use.
     *
     * @param closing closes it
     */
    Resource(T object, MeterScope meters, AutoCloseable closing) {
        this(object, meters, () -> true, closing);
    }

    /**
     * A started resource.
     *
     * @param idle returns whether nothing runs on it apart from requests of its sites
     * @param closing closes it
     */
    Resource(T object, MeterScope meters, BooleanSupplier idle, AutoCloseable closing) {
        this.object = object;
        this.meters = meters;
        this.idle = idle;
        this.closing = closing;
    }

    T object() {
        return object;
    }

    MeterScope meters() {
        return meters;
    }

    /** Adds routes whose requests may use it. From here on no request begins on the routes added before. */
    void usedBy(RoutingTable routes) {
        users.removeIf(RoutingTable::usesNoResources);
        users.add(routes);
    }

    /** Returns whether nothing can use it any more. Called once it no longer belongs to the current site. */
    boolean isUnused() {
        users.removeIf(RoutingTable::usesNoResources);
        return users.isEmpty() && idle.getAsBoolean();
    }

    void close() throws Exception {
        closing.close();
    }
}
