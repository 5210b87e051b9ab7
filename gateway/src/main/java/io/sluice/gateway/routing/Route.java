package io.sluice.gateway.routing;

import io.sluice.config.type.Method;
import io.sluice.config.type.PathTemplate;
import io.sluice.gateway.filter.Cors;
import io.sluice.gateway.peer.Credential;
import io.sluice.gateway.tunnel.DrainableSet;
import io.sluice.handlers.RouteHandler;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/**
 * A route that is ready to serve requests.
 *
 * @param uri the path as text, for meters and logs
 * @param kind the kind of its handler, for operators
 * @param tokens the names of the tokens that give access; empty if none is needed
 * @param access decides by its credential whether a tunnel or stream may stay open after a reload
 * @param cors responds to preflights for the path
 * @param tunnels the open tunnels that its requests have opened, also on former sites
 * @param handler the handler with its filters
 * @param running the number of its requests that have not finished
 */
public record Route(String name, PathTemplate path, String uri, Set<Method> methods, String kind,
                    Set<String> tokens, Predicate<Credential> access, Cors cors, DrainableSet tunnels,
                    RouteHandler handler, LongAdder running) {

    /** Creates a route without requests. */
    public Route(String name, PathTemplate path, Set<Method> methods, String kind, Set<String> tokens,
                 Predicate<Credential> access, Cors cors, DrainableSet tunnels, RouteHandler handler) {
        this(name, path, path.toString(), methods, kind, tokens, access, cors, tunnels, handler,
                new LongAdder());
    }

    /** Creates a route without tunnels that needs no token and allows no other origin. */
    public Route(String name, PathTemplate path, Set<Method> methods, String kind, RouteHandler handler) {
        this(name, path, methods, kind, Set.of(), _ -> true, Cors.NONE, new DrainableSet(), handler);
    }

    /** Returns whether no request is running. Exact only once no new requests arrive. */
    public boolean hasNoRequests() {
        return running.sum() == 0;
    }

    /** Returns whether the route passes requests on to an upstream. */
    boolean isProxied() {
        return kind.equals("proxy");
    }
}
