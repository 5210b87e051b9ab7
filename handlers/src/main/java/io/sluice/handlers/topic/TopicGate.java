package io.sluice.handlers.topic;

import io.netty.util.AttributeKey;
import io.netty.util.concurrent.Future;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.Filter;
import io.sluice.handlers.RouteHandler;
import java.util.function.BiConsumer;

/**
 * Delays a subscriber's request until its topic is subscribed on the bus. So a client that has its response
 * gets all messages published from then on. Without a connection to the bus the response is 503.
 */
public final class TopicGate implements Filter {
    /** The action that replaces the handler of a request for a subscription over a WebSocket. */
    public static final AttributeKey<BiConsumer<Topics, String>> SUBSCRIBE =
            AttributeKey.valueOf(TopicGate.class, "SUBSCRIBE");

    private final Topics topics;

    /** Creates a filter for a route to these topics. */
    public TopicGate(Topics topics) {
        this.topics = topics;
    }

    @Override
    public RouteHandler around(RouteHandler next) {
        return exchange -> {
            RouteHandler subscriber = exchange.hasAttr(SUBSCRIBE) ? this::subscribe : next;
            Future<?> ready = topics.ready(Topics.named(exchange), exchange.eventLoop());
            if (ready.isSuccess()) {
                subscriber.handle(exchange);
                return;
            }
            ready.addListener(_ -> {
                if (ready.isSuccess()) {
                    exchange.proceed(subscriber);
                } else {
                    exchange.fail(ready.cause());
                }
            });
        };
    }

    private void subscribe(Exchange exchange) {
        exchange.attr(SUBSCRIBE).get().accept(topics, Topics.named(exchange));
    }
}
