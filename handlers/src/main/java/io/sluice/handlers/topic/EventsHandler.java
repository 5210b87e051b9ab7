package io.sluice.handlers.topic;

import io.netty.util.AsciiString;
import io.sluice.config.HandlerConfig;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.MediaRange;
import io.sluice.handlers.RouteHandler;
import java.util.Objects;

/**
 * Sends the messages of a topic, which {@code {topic}} in the path names, as server-sent events, or responds
 * to a poll as soon as there are some. Clients have positions: {@code Last-Event-ID} or {@code ?after=} names
 * the last one that a client has seen.
 */
public final class EventsHandler implements RouteHandler {
    private static final String EVENTS = "text/event-stream";
    private static final AsciiString LAST_EVENT_ID = AsciiString.cached("last-event-id");

    private final HandlerConfig.Events config;
    private final Topics topics;

    /** Creates a handler for a route of kind {@code events}. */
    public EventsHandler(HandlerConfig.Events config, Topics topics) {
        this.config = config;
        this.topics = topics;
    }

    @Override
    public void handle(Exchange exchange) {
        String last = exchange.headers().get(LAST_EVENT_ID, "");
        if (last.isEmpty()) { // which is none (HTML, section 9.2.3)
            last = Objects.requireNonNullElse(exchange.queryParameter("after"), "");
        }
        last = Position.normalized(last);
        if (wantsStream(exchange)) {
            new EventStream(config, topics, exchange).begin(last);
        } else if (topics.asksForPresence(exchange)) {
            throw HttpException.badParameter("presence", "true", "false, or Accept: text/event-stream");
        } else {
            new EventPoll(config, topics, exchange).begin(last);
        }
    }

    /**
     * Returns whether a client names event streams, and does not prefer a poll. Requests over a WebSocket do
     * not say, and cannot have one.
     */
    private static boolean wantsStream(Exchange exchange) {
        MediaRange range = MediaRange.preferring(EVENTS, exchange.headers(), "application/json");
        return range != null && range.type().equals(EVENTS);
    }
}
