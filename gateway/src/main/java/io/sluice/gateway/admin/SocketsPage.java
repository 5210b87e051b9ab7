package io.sluice.gateway.admin;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.gateway.page.PageFiles;
import io.sluice.gateway.routing.RouteListing;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.json.Json;
import java.util.Map;

/** Serves a page for trying out the WebSocket routes in a browser. */
final class SocketsPage implements RouteHandler {
    private final GatewayState gateway;
    private final PageFiles files = new PageFiles(SocketsPage.class, "sockets", "'self' ws: wss:");

    /** Serves a page for the routes of a gateway. */
    SocketsPage(GatewayState gateway) {
        this.gateway = gateway;
    }

    @Override
    public void handle(Exchange exchange) {
        switch (exchange.path()) {
            case "/ws" -> throw new HttpException(HttpResponseStatus.PERMANENT_REDIRECT, "it is at /ws/")
                    .with(HttpHeaderNames.LOCATION, "/ws/");
            case "/ws/sockets.json" -> exchange.respond(HttpResponseStatus.OK, Json.MEDIA_TYPE,
                    Unpooled.wrappedBuffer(Json.bytes(
                            Map.of("port", gateway.port(), "routes", RouteListing.of(gateway.routes())))));
            default -> files.respond(exchange, exchange.path().substring("/ws/".length()));
        }
    }
}
