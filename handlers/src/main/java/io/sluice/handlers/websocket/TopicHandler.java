package io.sluice.handlers.websocket;

import io.sluice.config.HandlerConfig;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.WebSocketHandler;
import io.sluice.handlers.WebSocketListener;
import io.sluice.handlers.rights.Caller;
import io.sluice.handlers.topic.Position;
import io.sluice.handlers.topic.Topics;
import java.util.function.Supplier;

/**
 * Subscribes WebSockets to a topic, which {@code {topic}} in their path names. They get its last message, if
 * that is kept, and then every message in one order, including their own.
 */
public final class TopicHandler implements WebSocketHandler {
    private final Supplier<HandlerConfig.WsTopic> config;
    private final Topics topics;

    /**
     * Creates a handler for a route of kind {@code ws-topic}.
     *
     * @param config returns the current configuration, which may change while sockets are open
     * @param topics the topics that {@link HandlerConfig.WsTopic#topics()} names
     */
    public TopicHandler(Supplier<HandlerConfig.WsTopic> config, Topics topics) {
        this.config = config;
        this.topics = topics;
    }

    @Override
    public WebSocketListener accept(Exchange handshake) {
        String after = handshake.queryParameter("after");
        boolean presence = topics.asksForPresence(handshake);
        String seen = after != null ? Position.normalized(after) : presence ? "" : null;
        return new SocketSubscriber(this, Topics.named(handshake), Caller.of(handshake), seen, presence);
    }

    HandlerConfig.WsTopic config() {
        return config.get();
    }

    Topics topics() {
        return topics;
    }
}
