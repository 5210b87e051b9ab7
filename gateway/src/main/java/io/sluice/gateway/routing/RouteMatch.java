package io.sluice.gateway.routing;

import io.sluice.config.type.Method;
import io.sluice.gateway.filter.Cors;
import io.sluice.gateway.filter.Timing;
import io.sluice.handlers.Filter;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.TimeLimits;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The result of a search for a path: a route with its captures, or the methods that the path is for. */
public final class RouteMatch {
    /** No route, and no path that could have one. */
    public static final RouteMatch NONE = new RouteMatch(null, "", List.of(), null, null, _ -> Cors.NONE);

    private static final Filter UNROUTED = new Timing(TimeLimits.ofTotal(Duration.ofSeconds(10)));

    private final Route route;
    private final String path;
    private final List<String> captures;
    private final int[] bounds;
    private final Set<Method> allowed;
    private final Function<String, Cors> corsOfOthers;

    /**
     * The result of a search.
     *
     * @param allowed the methods that the path has routes for; null where it has none, or a route was found
     * @param corsOfOthers by the method of a request for the same path
     */
    RouteMatch(Route route, String path, List<String> captures, int[] bounds, Set<Method> allowed,
               Function<String, Cors> corsOfOthers) {
        this.route = route;
        this.path = path;
        this.captures = captures;
        this.bounds = bounds;
        this.allowed = allowed;
        this.corsOfOthers = corsOfOthers;
    }

    /** Null where nothing matched path and method. */
    Route route() {
        return route;
    }

    Set<Method> allowed() {
        return allowed;
    }

    /** The handler that answers, with its filters. */
    public RouteHandler handler() {
        return route == null ? UNROUTED.around(new UnroutedHandler(allowed, corsOfOthers)) : route.handler();
    }

    /** The origins whose pages may use the route. */
    Cors cors() {
        return route == null ? Cors.NONE : route.cors();
    }

    /** What a capture caught, wholly decoded; null where the route has no capture of that name. */
    public String capture(String name) {
        int index = captures.indexOf(name);
        return index < 0 ? null
                : PathNormalizer.decodeKept(path.substring(bounds[2 * index], bounds[2 * index + 1]));
    }
}
