package io.sluice.gateway.filter;

import io.sluice.handlers.Exchange;
import io.sluice.handlers.Filter;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.TimeLimits;

/**
 * Limits the times that requests of a route may take, and shortens them for clients that say how long they
 * will wait, by {@link RequestTimeout}.
 *
 * @param limits of every request
 */
public record Timing(TimeLimits limits) implements Filter {

    @Override
    public RouteHandler around(RouteHandler next) {
        return exchange -> {
            exchange.limitTime(limits);
            shorten(exchange);
            next.handle(exchange);
        };
    }

    private static void shorten(Exchange exchange) {
        if (exchange.headers().contains(RequestTimeout.HEADER)) {
            exchange.headers().getAll(RequestTimeout.HEADER).forEach(value ->
                    exchange.limitTime(TimeLimits.ofTotal(RequestTimeout.parse(value))));
        }
    }
}
