package io.sluice.gateway.filter;

import io.sluice.handlers.Exchange;
import io.sluice.handlers.Filter;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.TimeLimits;

/**
 * Limits the times of a route's requests. Clients can shorten the total time by {@link RequestTimeout}.
 *
 * @param limits of each request
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
