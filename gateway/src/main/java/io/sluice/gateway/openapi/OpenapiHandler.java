package io.sluice.gateway.openapi;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.config.HandlerConfig;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.files.Conditions;
import io.sluice.handlers.files.Validators;
import io.sluice.handlers.json.Json;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Responds with the OpenAPI document of a site. */
public final class OpenapiHandler implements RouteHandler {
    private static final String VERSION = "3.1.1";
    private static final String DESCRIPTION = "Paths that serve GET serve HEAD, and all serve OPTIONS. Other "
            + "methods get 405 with Allow. Requests that are no valid HTTP get 400, 408, 414, 417, 421, 431, "
            + "501 or 505. X-Request-Timeout: 250ms (or 5s, or 1m) shortens the time for a response.";

    private final HandlerConfig.Openapi config;
    private final Supplier<ApiDescription> api;
    private final Supplier<List<String>> servers;

    /**
     * Creates a handler.
     *
     * @param servers the URLs of the routes; none for the server of the document
     */
    public OpenapiHandler(HandlerConfig.Openapi config, Supplier<ApiDescription> api,
                          Supplier<List<String>> servers) {
        this.config = config;
        this.api = api;
        this.servers = servers;
    }

    @Override
    public void handle(Exchange exchange) {
        api.get().members(exchange.eventLoop()).whenComplete((members, failure) ->
                exchange.proceed(answered -> {
                    if (failure != null) {
                        throw new IllegalStateException(failure);
                    }
                    respond(answered, members);
                }));
    }

    private void respond(Exchange exchange, ApiDescription.Members members)
            throws NoSuchAlgorithmException {
        Map<String, Object> head = Schemas.of("openapi", VERSION, "info", Schemas.of("title", config.title(),
                "version", config.version(), "description", DESCRIPTION));
        List<String> urls = servers.get().isEmpty() ? List.of("/") : servers.get();
        head.put("servers", urls.stream().map(url -> Map.of("url", url)).toList());
        head.put("security", List.of()); // of operations that say nothing else
        byte[] begin = Json.bytes(head);
        MessageDigest hash = MessageDigest.getInstance("SHA-256");
        hash.update(begin);
        hash.update(members.hash());
        Validators state = Validators.strong('"' + HexFormat.of().formatHex(hash.digest(), 0, 16) + '"');
        boolean isKnown = new Conditions(exchange.headers()).notModified(state);
        FullHttpResponse answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1,
                isKnown ? HttpResponseStatus.NOT_MODIFIED : HttpResponseStatus.OK,
                isKnown ? Unpooled.EMPTY_BUFFER : content(begin, members.json()));
        if (!isKnown) {
            answer.headers().set(HttpHeaderNames.CONTENT_TYPE, Json.MEDIA_TYPE);
        }
        answer.headers().set(HttpHeaderNames.ETAG, state.tag()).set(HttpHeaderNames.CACHE_CONTROL,
                members.complete() ? HttpHeaderValues.NO_CACHE : HttpHeaderValues.NO_STORE);
        exchange.respond(answer);
    }

    private static ByteBuf content(byte[] begin, byte[] members) {
        begin[begin.length - 1] = ','; // in place of the brace that ends the object
        return Unpooled.wrappedBuffer(Unpooled.wrappedBuffer(begin),
                Unpooled.wrappedBuffer(members, 1, members.length - 1));
    }
}
