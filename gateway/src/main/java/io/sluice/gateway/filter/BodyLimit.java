package io.sluice.gateway.filter;

import io.sluice.handlers.Filter;
import io.sluice.handlers.RouteHandler;

/**
 * Bounds the bodies of a route's requests: longer ones are answered with 413.
 *
 * @param bytes the longest body
 */
public record BodyLimit(long bytes) implements Filter {

    @Override
    public RouteHandler around(RouteHandler next) {
        return exchange -> {
            exchange.limitBody(bytes);
            next.handle(exchange);
        };
    }
}
