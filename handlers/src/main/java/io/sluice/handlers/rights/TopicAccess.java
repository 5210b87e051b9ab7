package io.sluice.handlers.rights;

import io.netty.buffer.ByteBufUtil;
import io.sluice.handlers.Filter;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.RouteHandler;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Refuses requests whose caller has no right to the topic that {@code {topic}} in their path names: 403. A
 * name of more than 256 bytes is a 400, as each subscriber keeps it.
 *
 * @param right that the route needs
 * @param rights returns the current rights
 */
public record TopicAccess(Right right, Supplier<TopicRights> rights) implements Filter {
    private static final int MAX_NAME = 256;

    @Override
    public RouteHandler around(RouteHandler next) {
        return exchange -> {
            String topic = Objects.requireNonNull(exchange.pathParameter("topic"));
            if (ByteBufUtil.utf8Bytes(topic) > MAX_NAME) {
                throw HttpException.badParameter("topic", topic, "at most " + MAX_NAME + " bytes");
            }
            rights.get().require(right, topic, Caller.of(exchange));
            next.handle(exchange);
        };
    }
}
