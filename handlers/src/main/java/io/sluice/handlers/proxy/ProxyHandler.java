package io.sluice.handlers.proxy;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.sluice.config.HandlerConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.UpstreamConfig;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.TimeLimits;
import io.sluice.handlers.message.FieldNames;
import io.sluice.handlers.message.FlatHeaders;
import io.sluice.handlers.upstream.Endpoint;
import io.sluice.handlers.upstream.RouteResponses;
import io.sluice.handlers.upstream.Upstream;
import io.sluice.handlers.upstream.UpstreamRequest;
import io.sluice.handlers.websocket.HandshakeKey;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Passes requests on to an upstream, and its responses back. */
public final class ProxyHandler implements RouteHandler {
    static final String WEB_SOCKET = "websocket";

    private final Upstream upstream;
    private final UpstreamTarget target;
    private final HashKey hashKey;
    private final String host;
    private final FieldChanges requestChanges;
    private final FieldChanges responseChanges;
    private final RouteResponses responses = new RouteResponses();
    private final TimeLimits limits;
    private final long patienceNanos;
    private final Duration tunnelIdle;

    /** Creates the handler of a route. */
    public ProxyHandler(HandlerConfig.Proxy config, RouteConfig route, Upstream upstream) {
        this.upstream = upstream;
        hashKey = HashKey.of(upstream.config());
        host = config.host();
        requestChanges = config.requestHeaders().map(FieldChanges::of).orElse(FieldChanges.NONE);
        responseChanges = config.responseHeaders().map(FieldChanges::of).orElse(FieldChanges.NONE);
        tunnelIdle = config.tunnelIdle();
        target = new UpstreamTarget(route.path(), config);
        limits = new TimeLimits(Optional.empty(), Optional.of(upstream.config().deadline()),
                Optional.empty());
        patienceNanos = Stream.of(limits.firstByte(), route.deadline(), route.firstByte())
                .flatMap(Optional::stream).mapToLong(Duration::toNanos).min().orElseThrow() / 2;
    }

    @Override
    public void handle(Exchange exchange) {
        if (asksForOtherTunnel(exchange)) {
            throw new HttpException(HttpResponseStatus.NOT_IMPLEMENTED,
                    "no tunnel for this :protocol (expected: websocket)");
        }
        if (upstream.config().protocol() == UpstreamConfig.Protocol.H2C && asksForWebSocket(exchange)) {
            throw new HttpException(HttpResponseStatus.NOT_IMPLEMENTED,
                    "no WebSockets on this route: its upstream speaks HTTP/2 only");
        }
        HopByHop.requireFew(exchange.headers()); // before a connection is opened, which would be closed
        exchange.limitTime(limits);
        new ProxiedExchange(exchange, this, target.of(exchange)).start();
    }

    Upstream upstream() {
        return upstream;
    }

    /**
     * Returns the time without a response after which an attempt that times out is a failure of its endpoint:
     * half of the route's limit. A client may have set a shorter limit, or have sent its body slowly, or the
     * request has waited for long.
     */
    long patienceNanos() {
        return patienceNanos;
    }

    /** Returns the time without a byte after which a WebSocket is closed. */
    Duration tunnelIdle() {
        return tunnelIdle;
    }

    /** Returns the changes of the fields of requests. */
    FieldChanges requestChanges() {
        return requestChanges;
    }

    /** Returns the changes of the fields of responses. */
    FieldChanges responseChanges() {
        return responseChanges;
    }

    /**
     * Chooses an endpoint for a request.
     *
     * @param toAvoid those that have failed
     * @return null if none is up
     */
    @Nullable Endpoint choose(Exchange exchange, Set<Endpoint> toAvoid) {
        return upstream.choose(hashKey.of(exchange), toAvoid, responses);
    }

    /** Returns the head of the request to an endpoint. */
    UpstreamRequest request(Exchange exchange, String path, Endpoint endpoint) {
        HttpHeaders received = exchange.headers();
        FlatHeaders headers = HopByHop.without(received,
                name -> ForwardingFields.claims(name) || FieldNames.same(HttpHeaderNames.HOST, name)
                        || FieldNames.same(HttpHeaderNames.EXPECT, name));
        ForwardingFields.add(exchange, target.prefix(), headers);
        MaxForwards.decrement(exchange.request(), headers);
        requestChanges.apply(headers);
        if (GrpcCalls.is(exchange)) {
            GrpcCalls.setTimeout(exchange, headers);
        }
        if (received.containsValue(HttpHeaderNames.TE, HttpHeaderValues.TRAILERS, true)) {
            headers.add(HttpHeaderNames.TE, HttpHeaderValues.TRAILERS);
        }
        if (ContinueWait.isIn(exchange)) {
            headers.add(HttpHeaderNames.EXPECT, HttpHeaderValues.CONTINUE);
        }
        String upgrade = null;
        if (asksForWebSocket(exchange)) {
            upgrade = WEB_SOCKET;
            if (isOfHttp2(exchange)) { // which has no keys (RFC 8441 section 5.1)
                headers.set(HttpHeaderNames.SEC_WEBSOCKET_KEY, HandshakeKey.random());
            }
        }
        return new UpstreamRequest(exchange.request().method(), path, authority(exchange, endpoint), headers,
                length(exchange), upgrade, responses, exchange.clientAddress(), exchange.deadline());
    }

    /**
     * Returns whether a request offers to become a WebSocket, and has no body that an endpoint could leave
     * unread; other protocols are not passed on.
     */
    static boolean asksForWebSocket(Exchange exchange) {
        return !exchange.hasBody()
                && exchange.upgrade().filter(upgrade -> upgrade.offers(WEB_SOCKET)).isPresent();
    }

    /** Returns whether an extended CONNECT (RFC 8441), which is presented as GET, is for another protocol. */
    private static boolean asksForOtherTunnel(Exchange exchange) {
        return isOfHttp2(exchange)
                && exchange.upgrade().filter(upgrade -> !upgrade.offers(WEB_SOCKET)).isPresent();
    }

    /** Returns whether the client speaks HTTP/2. */
    static boolean isOfHttp2(Exchange exchange) {
        return exchange.request().protocolVersion().majorVersion() == 2;
    }

    /** Returns whether a request is a call of gRPC, which needs HTTP/2 on both sides. */
    boolean isCall(Exchange exchange) {
        return upstream.config().protocol() != UpstreamConfig.Protocol.HTTP1 && isOfHttp2(exchange)
                && GrpcCalls.endsByTrailers(exchange.headers());
    }

    private String authority(Exchange exchange, Endpoint endpoint) {
        return switch (host) {
            case "keep" -> exchange.headers().get(HttpHeaderNames.HOST, endpoint.authority());
            case "endpoint" -> endpoint.authority();
            default -> host;
        };
    }

    private static long length(Exchange exchange) {
        return exchange.hasBody()
                ? HttpUtil.getContentLength(exchange.request(), UpstreamRequest.UNKNOWN) : 0;
    }
}
