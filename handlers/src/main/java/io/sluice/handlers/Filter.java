package io.sluice.handlers;

/**
 * Handles each request between its route and its handler: access control, limits, response headers. One
 * instance serves all requests of a route, on all event loops.
 */
@FunctionalInterface
public interface Filter {

    /**
     * Wraps a handler in this filter; called once for each route. The result may pass a request on at once,
     * or later by {@link Exchange#proceed}, and may respond or throw, like any handler.
     *
     * @param next the handler behind this filter
     * @return the wrapped handler; {@code next} itself if the filter has nothing to do for the route
     */
    RouteHandler around(RouteHandler next);

    /** Returns a filter that applies this one, and then the inner one. */
    default Filter then(Filter inner) {
        return next -> around(inner.around(next));
    }
}
