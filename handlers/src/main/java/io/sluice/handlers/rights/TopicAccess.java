package io.sluice.handlers.rights;

import io.sluice.handlers.Filter;
import io.sluice.handlers.RouteHandler;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Refuses requests whose caller has no right to the topic that {@code {topic}} in their path names: 403.
 *
 * @param right that the route needs
 * @param rights returns the current rights
 */
public record TopicAccess(Right right, Supplier<TopicRights> rights) implements Filter {

    @Override
    public RouteHandler around(RouteHandler next) {
        return exchange -> {
            String topic = Objects.requireNonNull(exchange.pathParameter("topic"));
            rights.get().require(right, topic, Caller.of(exchange));
            next.handle(exchange);
        };
    }
}
