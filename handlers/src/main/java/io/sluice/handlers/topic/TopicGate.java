package io.sluice.handlers.topic;

import io.netty.util.concurrent.Future;
import io.sluice.handlers.Filter;
import io.sluice.handlers.RouteHandler;

/**
 * Lets a subscriber's request wait until its topic is subscribed on the bus: a client that has its response
 * gets what is published from then on. Without a connection to the bus the response is 503.
 */
public final class TopicGate implements Filter {
    private final Topics topics;

    /** Creates a filter for a route to these topics. */
    public TopicGate(Topics topics) {
        this.topics = topics;
    }

    @Override
    public RouteHandler around(RouteHandler next) {
        return exchange -> {
            Future<?> ready = topics.ready(Topics.named(exchange), exchange.eventLoop());
            if (ready.isSuccess()) {
                next.handle(exchange);
                return;
            }
            ready.addListener(_ -> {
                if (ready.isSuccess()) {
                    exchange.proceed(next);
                } else {
                    exchange.fail(ready.cause());
                }
            });
        };
    }
}
