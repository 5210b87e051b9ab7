package io.sluice.gateway.websocket;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.config.SocketConfig;
import io.sluice.gateway.exchange.HttpExchange;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.WebSocketHandler;
import io.sluice.handlers.WebSocketListener;
import java.util.List;

/** Answers handshakes: from then on the connection is a WebSocket. */
public final class WebSocketUpgrade implements RouteHandler {
    private final WebSocketHandler handler;
    private final SocketConfig config;
    private final SocketMeter meter;

    /** For the sockets of a route. */
    public WebSocketUpgrade(WebSocketHandler handler, SocketConfig config, SocketMeter meter) {
        this.handler = handler;
        this.config = config;
        this.meter = meter;
    }

    @Override
    public void handle(Exchange exchange) throws Exception {
        if (!(exchange instanceof HttpExchange http)) {
            throw Handshake.upgradeRequired("a WebSocket does not open within another");
        }
        Handshake.check(http, config);
        var listener = new RouteMarker(http.uri(), handler.accept(exchange));
        // The connection is ours when all of the request has been read.
        exchange.readBody(_ -> open(http, listener));
    }

    private void open(HttpExchange exchange, WebSocketListener listener) {
        List<String> offers = exchange.headers().getAll(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS);
        PerMessageDeflate compression = config.compression() ? PerMessageDeflate.firstOf(offers) : null;
        FullHttpResponse answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1,
                HttpResponseStatus.SWITCHING_PROTOCOLS, Unpooled.EMPTY_BUFFER);
        Handshake.answer(exchange.headers(), answer.headers(), config, compression);
        exchange.upgrade(answer, readAhead -> {
            meter.opened(exchange.elapsedNanos());
            return new WebSocketChannelHandler(new WebSocketConnection(exchange.requestId(),
                    exchange.clientAddress(), config, compression, listener, meter, readAhead));
        });
    }
}
