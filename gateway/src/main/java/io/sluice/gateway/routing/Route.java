package io.sluice.gateway.routing;

import io.sluice.config.type.Method;
import io.sluice.config.type.PathTemplate;
import io.sluice.gateway.filter.Cors;
import io.sluice.handlers.RouteHandler;
import java.util.Set;

/**
 * A route that can serve.
 *
 * @param uri the path as text, for meters and logs
 * @param kind the kind of its handler, for people
 * @param tokens the names of the tokens that open it; empty where it is open
 * @param cors answers the preflights for its path
 * @param handler with its filters around it
 */
public record Route(String name, PathTemplate path, String uri, Set<Method> methods, String kind,
                    Set<String> tokens, Cors cors, RouteHandler handler) {

    /** An open route that pages of other origins may not use. */
    public Route(String name, PathTemplate path, Set<Method> methods, String kind, RouteHandler handler) {
        this(name, path, path.toString(), methods, kind, Set.of(), Cors.NONE, handler);
    }
}
