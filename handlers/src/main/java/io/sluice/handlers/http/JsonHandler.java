package io.sluice.handlers.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.config.HandlerConfig;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.RouteHandler;

/** Answers a fixed JSON object, with a first member for the time where that is wanted. */
public final class JsonHandler implements RouteHandler {
    private final RouteHandler answer;

    /** For a route of kind {@code json}. */
    public JsonHandler(HandlerConfig.Json config) {
        HttpResponseStatus status = HttpResponseStatus.valueOf(config.status());
        byte[] body = Json.bytes(config.body());
        answer = config.timestamp().<RouteHandler>map(member -> new TimestampedJson(status, member, body))
                .orElseGet(() -> new TextHandler(status, Json.MEDIA_TYPE, body));
    }

    @Override
    public void handle(Exchange exchange) throws Exception {
        answer.handle(exchange);
    }
}
