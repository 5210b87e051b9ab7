package io.sluice.gateway.routing;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.config.type.Method;
import io.sluice.gateway.filter.Cors;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.RouteHandler;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Responds to requests without a route: to OPTIONS with the allowed methods, else with 404 or 405. */
public final class UnroutedHandler implements RouteHandler {
    /** The target of an OPTIONS request for the server as a whole. */
    public static final String ASTERISK = "*";

    static final UnroutedHandler NOT_FOUND = new UnroutedHandler(null, _ -> Cors.NONE);

    private final @Nullable Set<Method> allowed;
    private final Function<String, Cors> cors;

    /**
     * Creates the handler for a path.
     *
     * @param allowed the methods for which the path has routes; null if it has none
     * @param cors returns the CORS rules of a route on that path, by the name of its method
     */
    UnroutedHandler(@Nullable Set<Method> allowed, Function<String, Cors> cors) {
        this.allowed = allowed;
        this.cors = cors;
    }

    @Nullable Set<Method> allowed() {
        return allowed;
    }

    @Override
    public void handle(Exchange exchange) {
        if (allowed == null) {
            throw new HttpException(HttpResponseStatus.NOT_FOUND, "no route for this path");
        }
        boolean options = exchange.request().method().equals(HttpMethod.OPTIONS);
        answer(exchange, options ? HttpResponseStatus.NO_CONTENT : HttpResponseStatus.METHOD_NOT_ALLOWED,
                allowed);
    }

    private void answer(Exchange exchange, HttpResponseStatus status, Set<Method> methods) {
        String allow = methods.stream().map(Method::name).collect(Collectors.joining(", "));
        FullHttpResponse answer = status == HttpResponseStatus.NO_CONTENT
                ? new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.EMPTY_BUFFER)
                : ErrorMapper.answer(status, "this path is for " + allow, exchange.requestId(),
                        exchange.alloc());
        answer.headers().set(HttpHeaderNames.ALLOW, allow);
        if (status == HttpResponseStatus.NO_CONTENT && Cors.isPreflight(exchange.headers())) {
            cors.apply(exchange.headers().get(HttpHeaderNames.ACCESS_CONTROL_REQUEST_METHOD))
                    .answerPreflight(exchange.headers(), answer.headers());
        }
        exchange.respond(answer);
    }
}
