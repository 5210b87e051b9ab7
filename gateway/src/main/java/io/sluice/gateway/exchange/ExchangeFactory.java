package io.sluice.gateway.exchange;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.config.ServerConfig;
import io.sluice.gateway.peer.ClientFinder;
import io.sluice.gateway.routing.RoutedRequest;
import io.sluice.gateway.routing.RoutingTable;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.Peer;
import io.sluice.offload.Guard;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/** Makes the exchanges of a listener, whatever they come by, and tells of their end. */
public final class ExchangeFactory {
    private final Guard guard = new Guard(LoggerFactory.getLogger(ExchangeFactory.class),
            "a request was answered, but not metered or logged");
    private final ClientFinder clients;
    private final Supplier<RoutingTable> routes;
    private final RequestObserver listener;
    private final AnswerHeaders answerHeaders;

    /**
     * A factory for the requests of an open port.
     *
     * @param routes the current routes; each request asks once
     * @param listener is told of the end of each request
     */
    public ExchangeFactory(ServerConfig config, Supplier<RoutingTable> routes, RequestObserver listener,
                           AnswerHeaders answerHeaders) {
        this.answerHeaders = answerHeaders;
        clients = new ClientFinder(config);
        this.routes = routes;
        this.listener = listener;
    }

    /** What all their answers have. */
    public AnswerHeaders answerHeaders() {
        return answerHeaders;
    }

    /**
     * Refuses what must not come in the clear.
     *
     * @throws HttpException 421
     */
    public void requireDirected(ChannelHandlerContext ctx, boolean https) {
        if (https && !clients.mayAskForHttps(ctx.channel())) {
            throw new HttpException(HttpResponseStatus.MISDIRECTED_REQUEST,
                    "an https URI on a connection without TLS");
        }
    }

    /** The client of all requests of a connection; null where each names its own. */
    public Peer clientOfAll(ChannelHandlerContext ctx) {
        return clients.ofAll(ctx.channel());
    }

    /**
     * Makes the exchange of a request, with its route.
     *
     * @param ofAll the {@link #clientOfAll} of its connection
     * @param path normalised
     * @param bodyFollows whether a body follows where the head tells no length
     */
    public HttpExchange of(Carrier carrier, Peer ofAll, HttpRequest head, String requestId, String path,
                           boolean bodyFollows) {
        ChannelHandlerContext ctx = carrier.context();
        Peer client = clients.of(ofAll, ctx.channel(), head.headers());
        RequestBody body = RequestBody.of(ctx, head, bodyFollows);
        return new HttpExchange(carrier,
                routes.get().route(head, requestId, path, ctx.executor().ticker()), client, body);
    }

    /** One whose head is not to be trusted: it has neither a route nor a body. */
    public HttpExchange untrusted(Carrier carrier, HttpRequest request, String requestId) {
        ChannelHandlerContext ctx = carrier.context();
        Peer client = clients.of(clientOfAll(ctx), ctx.channel(), request.headers());
        return new HttpExchange(carrier,
                RoutedRequest.unrouted(request, requestId, "", ctx.executor().ticker()), client,
                RequestBody.none(ctx));
    }

    /** Tells of the end of one. */
    public void ended(HttpExchange exchange) {
        try {
            listener.ended(exchange);
        } catch (Throwable e) { // and without a step for each request
            guard.report(e);
        }
    }
}
