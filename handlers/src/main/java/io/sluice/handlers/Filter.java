package io.sluice.handlers;

/**
 * A concern of each request that stands between a route and its handler: access, limits, headers of answers.
 * One instance serves all requests of a route, on all event loops.
 */
@FunctionalInterface
public interface Filter {

    /**
     * Puts this filter around a handler, once for each route. The handler that comes back may pass a request
     * on at once, pass it on later by {@link Exchange#proceed}, answer it or throw, as any handler may.
     *
     * @param next the handler behind this filter
     * @return {@code next} itself where the filter has nothing to do for the route
     */
    RouteHandler around(RouteHandler next);

    /** This filter with another one inside it. */
    default Filter then(Filter inner) {
        return next -> around(inner.around(next));
    }
}
