package io.sluice.handlers;

import java.util.Optional;
import java.util.function.Function;

/**
 * Handles each request between its route and its handler: access control, limits, response headers. One
 * instance serves all requests of a route, on all event loops.
 */
@FunctionalInterface
public interface Filter {
    /** Passes requests on unchanged. */
    Filter NONE = next -> next;

    /**
     * Wraps a handler in this filter; called once for each route. The result may pass a request on at once,
     * or later by {@link Exchange#proceed}, and may respond or throw, like any handler.
     *
     * @param next the handler behind this filter
     * @return the wrapped handler; {@code next} itself if the filter has nothing to do for the route
     */
    RouteHandler around(RouteHandler next);

    /** Returns the filter that is made from a configuration; {@link #NONE} without one. */
    static <C> Filter of(Optional<C> config, Function<C, Filter> make) {
        return config.map(make).orElse(NONE);
    }

    /** Returns a filter that applies this one, and then the inner one. */
    default Filter then(Filter inner) {
        return next -> around(inner.around(next));
    }
}
