package io.sluice.gateway.exchange;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.config.ServerConfig;
import io.sluice.gateway.peer.ClientFinder;
import io.sluice.gateway.routing.RouteMatch;
import io.sluice.gateway.routing.RoutedRequest;
import io.sluice.gateway.routing.Router;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.Peer;
import io.sluice.offload.Guard;
import org.slf4j.LoggerFactory;

/** Makes the exchanges of a listener, whatever they come by, and tells of their end. */
public final class ExchangeFactory {
    private final Guard guard = new Guard(LoggerFactory.getLogger(ExchangeFactory.class),
            "a request was answered, but not metered or logged");
    private final ClientFinder clients;
    private final Router router;
    private final RequestObserver listener;
    private final AnswerHeaders answerHeaders;

    /** A factory for the requests of an open port, of whose end an observer is told. */
    public ExchangeFactory(ServerConfig config, Router router, RequestObserver listener,
                           AnswerHeaders answerHeaders) {
        this.answerHeaders = answerHeaders;
        clients = new ClientFinder(config);
        this.router = router;
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
        RouteMatch match = router.find(head.method(), path);
        return of(carrier, ofAll, new RoutedRequest(head, requestId, path, match, ctx.executor().ticker()),
                RequestBody.of(ctx, head, bodyFollows));
    }

    private HttpExchange of(Carrier carrier, Peer ofAll, RoutedRequest request, RequestBody body) {
        Peer client = clients.of(ofAll, carrier.context().channel(), request.head().headers());
        return new HttpExchange(carrier, request, client, body);
    }

    /** One whose head is not to be trusted: it has neither a route nor a body. */
    public HttpExchange untrusted(Carrier carrier, HttpRequest request, String requestId) {
        return of(carrier, clientOfAll(carrier.context()),
                new RoutedRequest(request, requestId, "", RouteMatch.NONE,
                        carrier.context().executor().ticker()),
                RequestBody.none(carrier.context()));
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
