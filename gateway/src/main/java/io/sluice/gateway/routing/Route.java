package io.sluice.gateway.routing;

import io.sluice.config.type.Method;
import io.sluice.config.type.PathTemplate;
import io.sluice.gateway.access.Access;
import io.sluice.gateway.negotiation.Compression;
import io.sluice.gateway.negotiation.Cors;
import io.sluice.handlers.RouteHandler;
import java.time.Duration;
import java.util.Set;

/**
 * A route that can serve.
 *
 * @param uri the path as text, for meters and logs
 * @param kind the kind of its handler, for people
 * @param maxBody of a request, in bytes
 * @param access who may use it, asked before its handler is
 * @param compression of its answers
 * @param cors which pages of other origins may read them
 */
public record Route(String name, PathTemplate path, String uri, Set<Method> methods, String kind,
                    Duration deadline, long maxBody, Access access, Compression compression,
                    Cors cors, RouteHandler handler) {

    /** A route whose {@code uri} is its path as text, and whose answers are the same for everybody. */
    public Route(String name, PathTemplate path, Set<Method> methods, String kind, Duration deadline,
                 long maxBody, Access access, RouteHandler handler) {
        this(name, path, path.toString(), methods, kind, deadline, maxBody, access, Compression.NONE,
                Cors.NONE, handler);
    }

    /** One that is open to everybody. */
    public Route(String name, PathTemplate path, Set<Method> methods, String kind, Duration deadline,
                 long maxBody, RouteHandler handler) {
        this(name, path, methods, kind, deadline, maxBody, Access.OPEN, handler);
    }

    /** The same with answers that depend on who asks. */
    public Route negotiating(Compression compressed, Cors pages) {
        return new Route(name, path, uri, methods, kind, deadline, maxBody, access, compressed, pages,
                handler);
    }
}
