package io.sluice.handlers.http;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.json.Json;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Responds with the gateway's routes, as JSON. */
public final class IndexHandler implements RouteHandler {
    private final Supplier<List<Map<String, Object>>> routes;

    /** Creates a handler for a route of kind {@code index}, before all routes are known. */
    public IndexHandler(Supplier<List<Map<String, Object>>> routes) {
        this.routes = routes;
    }

    @Override
    public void handle(Exchange exchange) {
        exchange.respond(HttpResponseStatus.OK, Json.MEDIA_TYPE,
                Unpooled.wrappedBuffer(Json.bytes(Map.of("routes", routes.get()))));
    }
}
