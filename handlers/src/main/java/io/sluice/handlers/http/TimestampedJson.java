package io.sluice.handlers.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.json.Json;
import io.sluice.handlers.message.ArrayResponse;
import io.sluice.handlers.message.FlatHeaders;
import java.nio.charset.StandardCharsets;

/** Responds with a JSON object whose first member is the time, in ms since 1970. */
final class TimestampedJson implements RouteHandler {
    private static final FlatHeaders HEAD = ArrayResponse.head(Json.MEDIA_TYPE);

    private final HttpResponseStatus status;
    private final String before;
    private final String after;

    /**
     * Creates a handler.
     *
     * @param member the name of the member with the time
     * @param others a JSON object with the other members
     */
    TimestampedJson(HttpResponseStatus status, String member, byte[] others) {
        this.status = status;
        before = '{' + new String(Json.bytes(member), StandardCharsets.UTF_8) + ':';
        String rest = new String(others, 1, others.length - 1, StandardCharsets.UTF_8);
        after = rest.length() == 1 ? rest : ',' + rest;
    }

    @Override
    public void handle(Exchange exchange) {
        byte[] json = (before + System.currentTimeMillis() + after).getBytes(StandardCharsets.UTF_8);
        if (json.length <= TextHandler.SMALL) {
            exchange.respond(new ArrayResponse(status, HEAD.copy(), json));
        } else {
            exchange.respond(status, Json.MEDIA_TYPE, exchange.alloc().buffer(json.length).writeBytes(json));
        }
    }
}
