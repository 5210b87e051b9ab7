package io.sluice.gateway.filter;

import io.sluice.config.HandlerConfig;
import io.sluice.config.RouteConfig;
import io.sluice.handlers.Filter;
import io.sluice.handlers.TimeLimits;
import io.sluice.handlers.live.LiveHandler;
import io.sluice.handlers.proxy.GrpcCalls;
import java.util.Optional;

/** The order in which the filters of a route surround its handler. */
public final class RouteFilters {

    private RouteFilters() {
    }

    /**
     * Returns the filters of a route, the outermost first.
     *
     * @param plugged those of other jars
     */
    public static Filter of(RouteConfig route, Cors cors, Tokens tokens, Filter plugged) {
        return grpc(route)
                .then(cors)
                .then(timing(route))
                .then(new MemoryShedding())
                .then(access(route, tokens))
                .then(plugged)
                .then(new BodyLimit(route.maxBody().bytes()))
                .then(decoding(route))
                .then(Filter.of(route.compression(), Compression::of));
    }

    private static Filter grpc(RouteConfig route) {
        return route.handler() instanceof HandlerConfig.Proxy ? new GrpcCalls() : Filter.NONE;
    }

    /** The deadline of a route with live results is that of each run, and not of their streams. */
    private static Filter timing(RouteConfig route) {
        var timing = new Timing(new TimeLimits(route.deadline(), route.firstByte(), route.idle()));
        return route.handler() instanceof HandlerConfig.Query query && query.live().isPresent()
                ? LiveHandler.filter(new Timing(new TimeLimits(Optional.empty(), route.firstByte(),
                        route.idle())), timing)
                : timing;
    }

    /** Returns the filter of compressed bodies, unless an endpoint or a worker decodes them. */
    private static Filter decoding(RouteConfig route) {
        boolean handlerDecodes = route.handler() instanceof HandlerConfig.Proxy
                || route.handler() instanceof HandlerConfig.Query query && query.bulk().isPresent();
        return handlerDecodes ? Filter.NONE : new RequestDecoding(route.maxBody().bytes());
    }

    private static Filter access(RouteConfig route, Tokens tokens) {
        if (route.isOpenapiPage()) {
            return Filter.NONE; // browsers send no token for a page; that of the document is required below
        }
        Access access = tokens.access(route.tokens());
        if (!route.handler().opensSockets()) {
            return access;
        }
        boolean proxied = route.handler() instanceof HandlerConfig.Proxy && route.tokens().isPresent();
        return proxied ? access.toSockets().then(new HandshakeTokens()) : access.toSockets();
    }
}
