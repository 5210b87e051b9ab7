package io.sluice.gateway.routing;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.config.type.Method;
import io.sluice.gateway.filter.Cors;
import io.sluice.gateway.filter.Timing;
import io.sluice.handlers.Filter;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.TimeLimits;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The result of a lookup: a route with its captures, or the methods for which the path has routes. */
final class RouteMatch {
    /** The match of a path without routes. */
    static final RouteMatch NONE = new RouteMatch("", UnroutedHandler.NOT_FOUND);
    /** The match of a path that an endpoint may read as one of another route. */
    static final RouteMatch AMBIGUOUS = new RouteMatch("", _ -> {
        throw new HttpException(HttpResponseStatus.BAD_REQUEST,
                "a path for an upstream with parameters or encoded slashes that may lead out of its route");
    });

    private static final Filter UNROUTED = new Timing(TimeLimits.ofTotal(Duration.ofSeconds(10)));

    private final @Nullable Route route;
    private final String path;
    private final List<String> captures;
    private final int @Nullable [] bounds;
    /** Responds where there is no route. */
    private final RouteHandler unrouted;

    /** Creates a match with a route. */
    RouteMatch(Route route, String path, List<String> captures, int @Nullable [] bounds) {
        this(route, path, captures, bounds, UnroutedHandler.NOT_FOUND);
    }

    /** Creates the result of a lookup without a route. */
    RouteMatch(String path, RouteHandler unrouted) {
        this(null, path, List.of(), null, unrouted);
    }

    private RouteMatch(@Nullable Route route, String path, List<String> captures, int @Nullable [] bounds,
                       RouteHandler unrouted) {
        this.route = route;
        this.path = path;
        this.captures = captures;
        this.bounds = bounds;
        this.unrouted = unrouted;
    }

    /** Returns the route; null if none matches path and method. */
    @Nullable Route route() {
        return route;
    }

    /** Returns the methods for which the path has routes; null if it has none or a route was found. */
    @Nullable Set<Method> allowed() {
        return unrouted instanceof UnroutedHandler handler ? handler.allowed() : null;
    }

    /** Returns the handler of the route with its filters, or one that responds with an error. */
    RouteHandler handler() {
        return route == null ? UNROUTED.around(unrouted) : route.handler();
    }

    /** Returns the CORS rules of the route. */
    Cors cors() {
        return route == null ? Cors.NONE : route.cors();
    }

    /** Returns the decoded value of a capture; null if the route has no capture of that name. */
    @Nullable String capture(String name) {
        int index = captures.indexOf(name);
        return index < 0 || bounds == null ? null
                : PathNormalizer.decodeKept(path.substring(bounds[2 * index], bounds[2 * index + 1]));
    }
}
