package io.sluice.handlers.presence;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.json.Json;
import io.sluice.handlers.message.ArrayResponse;
import io.sluice.handlers.message.FlatHeaders;
import java.util.Objects;
import java.util.concurrent.CompletionException;

/**
 * Responds with who is subscribed to a topic, which {@code {topic}} in the path names.
 *
 * @param presence that of the topic's set
 */
public record PresenceHandler(Presence presence) implements RouteHandler {

    @Override
    public void handle(Exchange exchange) {
        presence.read(Objects.requireNonNull(exchange.pathParameter("topic")))
                .whenComplete((json, failure) -> {
                    if (failure == null) {
                        respond(exchange, json);
                    } else {
                        exchange.fail(failure instanceof CompletionException && failure.getCause() != null
                                ? failure.getCause() : failure);
                    }
                });
    }

    private static void respond(Exchange exchange, byte[] json) {
        FlatHeaders head = ArrayResponse.head(Json.MEDIA_TYPE);
        head.set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE);
        exchange.respond(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK,
                Unpooled.wrappedBuffer(json), head, EmptyHttpHeaders.INSTANCE));
    }
}
