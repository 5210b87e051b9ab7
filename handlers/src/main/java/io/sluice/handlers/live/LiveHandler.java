package io.sluice.handlers.live;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.AsciiString;
import io.netty.util.concurrent.Future;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.Filter;
import io.sluice.handlers.MediaRange;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.query.QueryHandler;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends the result of a query as server-sent events, and again when its topic has had a message and it has
 * changed. {@code Last-Event-ID} is the entity tag of the result that a client has. A client that does not
 * accept events, or prefers another representation, gets the ordinary response.
 */
public final class LiveHandler implements RouteHandler {
    private static final AsciiString LAST_EVENT_ID = AsciiString.cached("last-event-id");
    private static final String EVENTS = "text/event-stream";
    private static final String[] OTHERS = {"application/json", "text/csv", "application/x-ndjson"};

    private final QueryHandler query;
    private final LiveResults results;

    /**
     * Creates a handler for a route of kind {@code query} with {@code live}.
     *
     * @param query the query, which also responds to other clients
     */
    public LiveHandler(QueryHandler query, LiveResults results) {
        this.query = query;
        this.results = results;
    }

    /** Returns a filter that is one filter for streams, and another for other requests. */
    public static Filter filter(Filter streams, Filter others) {
        return next -> {
            RouteHandler ofStreams = streams.around(next);
            RouteHandler ofOthers = others.around(next);
            return exchange -> (wantsStream(exchange) ? ofStreams : ofOthers).handle(exchange);
        };
    }

    /** Returns whether a client names event streams, and prefers none of the ordinary representations. */
    private static boolean wantsStream(Exchange exchange) {
        HttpMethod method = exchange.request().method();
        if (!method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD)) {
            return false;
        }
        MediaRange range = MediaRange.preferring(EVENTS, exchange.headers(), OTHERS);
        return range != null && range.type().equals(EVENTS);
    }

    @Override
    public void handle(Exchange exchange) throws Exception {
        if (!wantsStream(exchange)) {
            query.handle(exchange);
            return;
        }
        var request = new LiveRequest(exchange);
        Map<String, @Nullable Object> identity = query.identity(request);
        String topic = results.config().topic().of(name -> String.valueOf(identity.get(name)));
        // Before the topic is subscribed on a bus, which a client beyond the limits must not cause.
        LiveResult result = results.join(identity, topic, request);
        var stream = new LiveStream(result, exchange, exchange.headers().get(LAST_EVENT_ID));
        try {
            Future<?> ready = results.topics().ready(topic, exchange.eventLoop());
            ready.addListener(_ -> {
                if (ready.isSuccess()) {
                    exchange.proceed(_ -> begin(stream));
                } else {
                    stream.fail(ready.cause());
                }
            });
        } catch (Throwable e) {
            stream.fail(e);
        }
    }

    private void begin(LiveStream stream) {
        try {
            stream.begin(results.config().heartbeat());
        } catch (Throwable e) {
            stream.fail(e);
        }
    }
}
