package io.sluice.gateway.routing;

import io.sluice.config.type.Method;
import io.sluice.gateway.negotiation.Cors;
import io.sluice.handlers.RouteHandler;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** What was found for a path: a route with what its captures caught, or none and what would be allowed. */
public final class RouteMatch {
    /** No route, and no path that could have one. */
    public static final RouteMatch NONE = new RouteMatch(null, "", List.of(), null, null, _ -> Cors.NONE);

    private static final Duration UNROUTED_DEADLINE = Duration.ofSeconds(10);
    private static final long UNROUTED_MAX_BODY = 64 * 1024;

    private final Route route;
    private final String path;
    private final List<String> captures;
    private final int[] bounds;
    private final Set<Method> allowed;
    private final Function<String, Cors> corsOfOthers;

    /**
     * What was found.
     *
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
    public Route route() {
        return route;
    }

    /** The methods that this path has routes for; null where it has none, or where a route was found. */
    Set<Method> allowed() {
        return allowed;
    }

    /** Who answers. */
    public RouteHandler handler() {
        return route == null ? new UnroutedHandler(allowed, corsOfOthers) : route.handler();
    }

    /** Which pages of other origins may use it. */
    Cors cors() {
        return route == null ? Cors.NONE : route.cors();
    }

    /** How long a request may take. */
    public Duration deadline() {
        return route == null ? UNROUTED_DEADLINE : route.deadline();
    }

    /** The largest body of a request, in bytes. */
    public long maxBody() {
        return route == null ? UNROUTED_MAX_BODY : route.maxBody();
    }

    /** What a capture caught, wholly decoded; null where the route has no capture of that name. */
    public String capture(String name) {
        int index = captures.indexOf(name);
        return index < 0 ? null
                : PathNormalizer.decodeKept(path.substring(bounds[2 * index], bounds[2 * index + 1]));
    }
}
