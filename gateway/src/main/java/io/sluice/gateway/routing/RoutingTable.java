package io.sluice.gateway.routing;

import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.concurrent.Ticker;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * The routes that are served from one reload to the next, and the number of requests that run on them.
 * Thread-safe.
 */
public final class RoutingTable {
    private final List<Route> routes;
    private final Router router;
    private final LongAdder running = new LongAdder();

    /** A table of these routes. No two of them may have one shape and method. */
    public RoutingTable(List<Route> routes) {
        this.routes = List.copyOf(routes);
        router = new Router(routes);
    }

    /** All routes, in the order of the configuration. */
    public List<Route> routes() {
        return routes;
    }

    /**
     * Finds a request's route, and counts the request as running until {@link RoutedRequest#finish}.
     *
     * @param path normalised
     * @param clock the event loop's
     */
    public RoutedRequest route(HttpRequest head, String id, String path, Ticker clock) {
        RouteMatch match = router.find(head.method(), path);
        running.increment();
        return new RoutedRequest(head, id, path, match, clock, running);
    }

    /** Whether none of its requests runs. Exact once no request comes any more. */
    public boolean isIdle() {
        return running.sum() == 0;
    }
}
