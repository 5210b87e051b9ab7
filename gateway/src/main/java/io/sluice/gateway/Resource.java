package io.sluice.gateway;

import io.sluice.gateway.metrics.MeterScope;
import io.sluice.gateway.routing.RoutingTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * An object that handlers use and that outlives a reload in which its configuration stays the same. Its
 * meters are published while it belongs to the current site. Not thread-safe.
 *
 * @param <T> the class of the object
 */
final class Resource<T> {
    private final Object config;
    private final T object;
    private final MeterScope meters;
    private final BooleanSupplier idle;
    private final AutoCloseable end;
    /** The routes of the sites that it belongs or belonged to, without those that no request runs on. */
    private final List<RoutingTable> users = new ArrayList<>();

    /**
     * A resource that was started.
     *
     * @param config what it was made from
     * @param idle whether nothing runs on it but for requests of its sites
     * @param end what closes it
     */
    Resource(Object config, T object, MeterScope meters, BooleanSupplier idle, AutoCloseable end) {
        this.config = config;
        this.object = object;
        this.meters = meters;
        this.idle = idle;
        this.end = end;
    }

    Object config() {
        return config;
    }

    T object() {
        return object;
    }

    MeterScope meters() {
        return meters;
    }

    /** Notes that requests on these routes may use it; none begins on those before any more. */
    void usedBy(RoutingTable routes) {
        users.removeIf(RoutingTable::isIdle);
        users.add(routes);
    }

    /** Whether nothing can use it any more; to be asked once it belongs to no current site. */
    boolean isUnused() {
        users.removeIf(RoutingTable::isIdle);
        return users.isEmpty() && idle.getAsBoolean();
    }

    void close() throws Exception {
        end.close();
    }
}
