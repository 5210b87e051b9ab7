package io.sluice.gateway.rpc;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import io.sluice.config.HandlerConfig;
import io.sluice.gateway.exchange.GuardedRequestObserver;
import io.sluice.gateway.exchange.RequestObserver;
import io.sluice.gateway.limits.RequestMemory;
import io.sluice.gateway.limits.RequestMemoryPart;
import io.sluice.gateway.peer.Credential;
import io.sluice.gateway.routing.RoutingTable;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.WebSocketHandler;
import io.sluice.handlers.WebSocketListener;
import java.util.List;
import java.util.function.Supplier;

/**
 * Runs many requests over one WebSocket. Each text message is a request to any HTTP route of this gateway,
 * and is answered as soon as it is done. It passes the same router, deadlines, pools and meters as a separate
 * HTTP request of the socket's client would, with the token of the socket, and is cancelled when the socket
 * closes.
 */
public final class RpcHandler implements WebSocketHandler {
    /**
     * Headers that a request inherits from the handshake: the host, the origin, and the client's details for
     * the access log.
     */
    private static final List<AsciiString> INHERITED = List.of(HttpHeaderNames.HOST, HttpHeaderNames.ORIGIN,
            AsciiString.cached("sec-fetch-site"), HttpHeaderNames.USER_AGENT);

    /** In bytes, for all of them. They are kept as long as the socket. */
    private static final int MAX_INHERITED = 2 * 1024;

    private final Supplier<HandlerConfig.WsRpc> config;
    private final int maxRequestLine;
    private final Supplier<RoutingTable> routes;
    private final RequestObserver observer;

    /**
     * The handler of a route of kind {@code ws-rpc}.
     *
     * @param config the current settings, which may change while sockets are open
     * @param maxRequestLine the limit of a request's equivalent request line, in bytes
     * @param routes the current routes of the gateway; read once per request
     * @param observer is called at the end of each request, on its socket's event loop
     */
    public RpcHandler(Supplier<HandlerConfig.WsRpc> config, int maxRequestLine,
                      Supplier<RoutingTable> routes, RequestObserver observer) {
        this.config = config;
        this.maxRequestLine = maxRequestLine;
        this.routes = routes;
        this.observer = new GuardedRequestObserver(observer);
    }

    @Override
    public WebSocketListener accept(Exchange handshake) {
        HttpHeaders inherited = new DefaultHttpHeaders();
        INHERITED.forEach(name -> inherited.set(name, handshake.headers().getAll(name)));
        int length = inherited.entries().stream().mapToInt(field -> field.getValue().length()).sum();
        if (length > MAX_INHERITED) {
            throw new HttpException(HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
                    "%d bytes in %s (expected: at most %d)".formatted(length, INHERITED, MAX_INHERITED));
        }
        var memory = new RequestMemoryPart(RequestMemory.ofTunnel((Channel) handshake.connection(),
                handshake.clientAddress().getAddress()));
        return new RpcSession(config, maxRequestLine, routes, observer, inherited, handshake.client(),
                Credential.of(handshake), memory);
    }
}
