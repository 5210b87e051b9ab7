package io.sluice.gateway.pipeline;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.config.ServerConfig;
import io.sluice.gateway.client.Client;
import io.sluice.gateway.client.ClientFinder;
import io.sluice.gateway.routing.RouteMatch;
import io.sluice.gateway.routing.RoutedRequest;
import io.sluice.gateway.routing.Router;
import io.sluice.handlers.HttpException;
import io.sluice.offload.Guard;
import org.slf4j.LoggerFactory;

/** Makes the exchanges of a listener, whatever they come by, and tells of their end. */
final class Exchanges {
    private final Guard guard = new Guard(LoggerFactory.getLogger(Exchanges.class),
            "a request was answered, but not metered or logged");
    private final ClientFinder clients;
    private final Router router;
    private final RequestListener listener;
    private final AnswerHeaders answerHeaders;

    Exchanges(ServerConfig config, Router router, RequestListener listener, AnswerHeaders answerHeaders) {
        this.answerHeaders = answerHeaders;
        clients = new ClientFinder(config);
        this.router = router;
        this.listener = listener;
    }

    /** What all their answers have. */
    AnswerHeaders answerHeaders() {
        return answerHeaders;
    }

    /** The route for a path that is normalised. */
    RouteMatch find(HttpRequest request, String path) {
        return router.find(request.method(), path);
    }

    /**
     * Refuses what must not come in the clear.
     *
     * @throws HttpException 421
     */
    void requireDirected(ChannelHandlerContext ctx, boolean https) {
        if (https && !clients.mayAskForHttps(ctx.channel())) {
            throw new HttpException(HttpResponseStatus.MISDIRECTED_REQUEST,
                    "an https URI on a connection without TLS");
        }
    }

    /** Whom all requests of a connection are from; null where each says it. */
    Client clientOfAll(ChannelHandlerContext ctx) {
        return clients.ofAll(ctx.channel());
    }

    /**
     * Makes one.
     *
     * @param ofAll the {@link #clientOfAll} of its connection
     */
    HttpExchange of(Carrier carrier, Client ofAll, RoutedRequest request, RequestBody body) {
        Client client = clients.of(ofAll, carrier.context().channel(), request.head().headers());
        return new HttpExchange(carrier, request, client, body);
    }

    /** One whose head is not to be trusted: it has neither a route nor a body. */
    HttpExchange untrusted(Carrier carrier, HttpRequest request, String requestId) {
        return of(carrier, clientOfAll(carrier.context()),
                new RoutedRequest(request, requestId, "", RouteMatch.NONE,
                        carrier.context().executor().ticker()),
                RequestBody.none(carrier.context()));
    }

    /** Tells of the end of one. */
    void ended(HttpExchange exchange) {
        try {
            listener.ended(exchange);
        } catch (Throwable e) { // and without a step for each request
            guard.report(e);
        }
    }
}
