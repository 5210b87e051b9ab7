package io.sluice.handlers.websocket;

import io.sluice.config.HandlerConfig;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.WebSocketHandler;
import io.sluice.handlers.WebSocketListener;
import java.util.function.Supplier;

/**
 * Subscribes sockets to the topic that {@code {topic}} in their path names. They get its last message, if
 * that is kept, and from then on every message in one order, their own included.
 */
public final class TopicHandler implements WebSocketHandler {
    private final Supplier<HandlerConfig.WsTopic> config;
    private final Topics topics;

    /**
     * For a route of kind {@code ws-topic}.
     *
     * @param config the current one, which may change while sockets are open
     * @param topics those that {@link HandlerConfig.WsTopic#topics()} names
     */
    public TopicHandler(Supplier<HandlerConfig.WsTopic> config, Topics topics) {
        this.config = config;
        this.topics = topics;
    }

    @Override
    public WebSocketListener accept(Exchange handshake) {
        return new Subscriber(config, topics, handshake.pathParameter("topic"));
    }
}
