package io.sluice.gateway.exchange;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.config.ServerConfig;
import io.sluice.gateway.limits.RequestMemory;
import io.sluice.gateway.peer.ClientFinder;
import io.sluice.gateway.routing.RoutedRequest;
import io.sluice.gateway.routing.RoutingTable;
import io.sluice.handlers.Client;
import io.sluice.handlers.HttpException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Creates the exchanges of a listener, for HTTP/1 and HTTP/2, and reports their end. */
public final class ExchangeFactory {
    private final ClientFinder clients;
    private final Supplier<RoutingTable> routes;
    private final RequestObserver observer;
    private final ResponseHeaders answerHeaders;

    /**
     * A factory for the requests of a listener.
     *
     * @param routes returns the current routes; called once for each request
     * @param observer observes the end of each request
     */
    public ExchangeFactory(ServerConfig config, Supplier<RoutingTable> routes, RequestObserver observer,
                           ResponseHeaders answerHeaders) {
        this.answerHeaders = answerHeaders;
        clients = new ClientFinder(config);
        this.routes = routes;
        this.observer = new GuardedRequestObserver(observer);
    }

    /** Returns the header fields that all responses have. */
    public ResponseHeaders answerHeaders() {
        return answerHeaders;
    }

    /**
     * Refuses a request for an https URI that came without TLS.
     *
     * @throws HttpException 421
     */
    public void requireDirected(ChannelHandlerContext ctx, boolean https) {
        if (https && !clients.mayAskForHttps(ctx.channel())) {
            throw new HttpException(HttpResponseStatus.MISDIRECTED_REQUEST,
                    "an https URI on a connection without TLS");
        }
    }

    /** Returns the client of all requests on a connection; null if each request may name another one. */
    public @Nullable Client clientOfAll(ChannelHandlerContext ctx) {
        return clients.ofAll(ctx.channel());
    }

    /** Returns the memory of a connection's requests. */
    public RequestMemory memoryOf(Channel connection) {
        return new RequestMemory(connection, () -> {
            Client client = clients.ofAll(connection);
            return client == null ? null : client.address().getAddress();
        });
    }

    /**
     * Returns the client of a request.
     *
     * @param ofAll the {@link #clientOfAll} of the connection
     */
    public Client clientOf(ChannelHandlerContext ctx, @Nullable Client ofAll, HttpRequest head) {
        return clients.of(ofAll, ctx.channel(), head.headers());
    }

    /**
     * Creates the exchange of a request and finds its route. It has to be started.
     *
     * @param path normalised
     * @param bodyFollows whether a body follows even if the head states no length
     */
    public HttpExchange of(Carrier carrier, Client client, HttpRequest head, String requestId,
                           String path, boolean bodyFollows) {
        ChannelHandlerContext ctx = carrier.context();
        RequestBody body = RequestBody.of(ctx, head, bodyFollows);
        return new HttpExchange(carrier,
                routes.get().route(head, requestId, path, ctx.executor().ticker()), client, body);
    }

    /** Creates an exchange for a request whose head cannot be trusted; it has neither a route nor a body. */
    public HttpExchange untrusted(Carrier carrier, HttpRequest request, String requestId) {
        ChannelHandlerContext ctx = carrier.context();
        Client client = clientOf(ctx, clientOfAll(ctx), request);
        return new HttpExchange(carrier,
                RoutedRequest.unrouted(request, requestId, "", ctx.executor().ticker()), client,
                RequestBody.none(ctx));
    }

    /** Reports the end of an exchange to the observer. */
    public void ended(HttpExchange exchange) {
        observer.ended(exchange);
    }
}
