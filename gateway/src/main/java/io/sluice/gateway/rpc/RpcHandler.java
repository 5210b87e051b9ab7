package io.sluice.gateway.rpc;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import io.sluice.config.HandlerConfig;
import io.sluice.gateway.exchange.RequestObserver;
import io.sluice.gateway.routing.RoutingTable;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.WebSocketHandler;
import io.sluice.handlers.WebSocketListener;
import java.util.List;
import java.util.function.Supplier;

/**
 * One socket, many requests: each text is one, for any HTTP route of this gateway, and is answered as soon
 * as it is done. It goes through the same router, deadlines, pools and meters as if it had come by itself,
 * sent by the socket's client, under the socket's token, and is cancelled with the socket.
 */
public final class RpcHandler implements WebSocketHandler {
    /**
     * Headers that a request has from its socket's handshake: the host, the page that sends it, and what is
     * logged of its client.
     */
    private static final List<AsciiString> INHERITED = List.of(HttpHeaderNames.HOST, HttpHeaderNames.ORIGIN,
            AsciiString.cached("sec-fetch-site"), HttpHeaderNames.USER_AGENT);

    private final Supplier<HandlerConfig.WsRpc> config;
    private final int maxRequestLine;
    private final Supplier<RoutingTable> routes;
    private final RequestObserver listener;

    /**
     * For a route of kind {@code ws-rpc}.
     *
     * @param config the current one, which may change while sockets are open
     * @param maxRequestLine of a request, as if it had come over HTTP/1.1, in bytes
     * @param routes the current routes of the gateway; each request asks once
     * @param listener is told of each request, on its socket's event loop
     */
    public RpcHandler(Supplier<HandlerConfig.WsRpc> config, int maxRequestLine,
                      Supplier<RoutingTable> routes, RequestObserver listener) {
        this.config = config;
        this.maxRequestLine = maxRequestLine;
        this.routes = routes;
        this.listener = listener;
    }

    @Override
    public WebSocketListener accept(Exchange handshake) {
        HttpHeaders inherited = new DefaultHttpHeaders();
        INHERITED.forEach(name -> inherited.set(name, handshake.headers().getAll(name)));
        return new RpcSession(config, maxRequestLine, routes, listener, inherited, handshake.peer(),
                handshake.caller());
    }
}
