package io.sluice.gateway.websocket;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.sluice.config.SocketConfig;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.Upgrade;
import io.sluice.handlers.WebSocketHandler;
import io.sluice.handlers.WebSocketListener;

/**
 * Answers WebSocket handshakes. An accepted one turns its connection, or over HTTP/2 its stream, into a
 * WebSocket.
 */
public final class WebSocketUpgrade implements RouteHandler {
    private final WebSocketHandler handler;
    private final SocketRoute<?> route;

    /** Creates the handler of a WebSocket route. */
    public WebSocketUpgrade(WebSocketHandler handler, SocketRoute<?> route) {
        this.handler = handler;
        this.route = route;
    }

    @Override
    public void handle(Exchange exchange) throws Exception {
        long begun = exchange.eventLoop().ticker().nanoTime();
        SocketConfig config = route.config();
        Upgrade upgrade = Handshake.check(exchange, config);
        WebSocketListener listener = new RouteMarker(route.uri(), handler.accept(exchange));
        PerMessageDeflate compression = config.compression()
                ? PerMessageDeflate.firstOf(
                        exchange.headers().getAll(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS)) : null;
        upgrade.accept(Handshake.PROTOCOL, Handshake.answer(exchange.request(), config, compression),
                new WebSocketConnection(exchange, route, compression, listener, begun));
    }
}
