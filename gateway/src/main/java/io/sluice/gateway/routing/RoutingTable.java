package io.sluice.gateway.routing;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.concurrent.Ticker;
import io.sluice.gateway.filter.Cors;
import io.sluice.handlers.proxy.MaxForwards;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * The routes that are served from one reload to the next, with the number of requests that may use any
 * resource of their site. Thread-safe.
 */
public final class RoutingTable {
    private final List<Route> routes;
    private final Router router;
    private final LongAdder onSite = new LongAdder();

    /** Creates a table. No two routes may have paths of the same shape and a common method. */
    public RoutingTable(List<Route> routes) {
        this.routes = List.copyOf(routes);
        router = new Router(routes);
    }

    /** Returns all routes, in the order of the configuration. */
    public List<Route> routes() {
        return routes;
    }

    /**
     * Finds a request's route, and counts the request. A proxy's route is not found if its endpoint may read
     * a path that is not of this route.
     *
     * @param path normalised
     * @param clock the event loop's
     */
    public RoutedRequest route(HttpRequest head, String id, String path, Ticker clock) {
        RouteMatch found = find(head, path);
        Route route = found.route();
        boolean ambiguous = route != null && route.isProxied() && PathReadings.of(path).stream()
                .anyMatch(reading -> !isOf(route, find(head, reading), reading));
        RouteMatch match = ambiguous ? RouteMatch.AMBIGUOUS : found;
        onSite.increment();
        if (match.route() != null) {
            match.route().running().increment();
        }
        return new RoutedRequest(head, id, path, match, clock, this);
    }

    /**
     * Returns whether a path belongs to a route: it has this route, or none with any method while it is
     * below the literal segments before the route's first capture. A server may ignore a slash at its end.
     */
    private static boolean isOf(Route route, RouteMatch match, String path) {
        int capture = route.uri().indexOf('{');
        return match.route() == route || match.route() == null && match.allowed() == null && capture > 1
                && path.startsWith(route.uri().substring(0, capture)) && !path.endsWith("/");
    }

    private RouteMatch find(HttpRequest head, String path) {
        return MaxForwards.isUsedUp(head) ? router.optionsOf(path)
                : isPreflight(head) ? router.ofPreflight(
                        head.headers().get(HttpHeaderNames.ACCESS_CONTROL_REQUEST_METHOD), path)
                : router.find(head.method(), path);
    }

    private static boolean isPreflight(HttpRequest head) {
        return head.method().equals(HttpMethod.OPTIONS) && Cors.isPreflight(head.headers());
    }

    void leave() {
        onSite.decrement();
    }

    /**
     * Returns whether no request may use any resource of the site. Exact only once no new requests arrive.
     */
    public boolean usesNoResources() {
        return onSite.sum() == 0;
    }
}
