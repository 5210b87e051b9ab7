package io.sluice.gateway.filter;

import io.sluice.handlers.Filter;
import io.sluice.handlers.RouteHandler;

/**
 * Limits the bodies of a route's requests; longer ones get 413.
 *
 * @param bytes the length of the longest body in bytes
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
