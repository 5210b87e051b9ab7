package io.sluice.handlers.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.config.HandlerConfig;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.json.Json;
import io.sluice.handlers.message.CurrentStatus;

/** Responds with a fixed JSON object, optionally with the time as its first member. */
public final class JsonHandler implements RouteHandler {
    private final RouteHandler answer;

    /** Creates a handler for a route of kind {@code json}. */
    public JsonHandler(HandlerConfig.Json config) {
        HttpResponseStatus status = CurrentStatus.of(config.status());
        byte[] body = Json.bytes(config.body());
        answer = config.timestamp().<RouteHandler>map(member -> new TimestampedJson(status, member, body))
                .orElseGet(() -> new TextHandler(status, Json.MEDIA_TYPE, body));
    }

    @Override
    public void handle(Exchange exchange) throws Exception {
        answer.handle(exchange);
    }
}
