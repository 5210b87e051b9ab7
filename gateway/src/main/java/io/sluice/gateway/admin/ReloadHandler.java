package io.sluice.gateway.admin;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.Future;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.json.Json;
import io.sluice.handlers.message.CurrentStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;

/** Reloads the configuration. Responds with the changes, or with 422 and a list of all mistakes. */
final class ReloadHandler implements RouteHandler {
    private static final String PROBLEM = "application/problem+json";
    private static final HttpResponseStatus INVALID =
            CurrentStatus.of(HttpResponseStatus.UNPROCESSABLE_ENTITY);

    private final GatewayState gateway;

    ReloadHandler(GatewayState gateway) {
        this.gateway = gateway;
    }

    @Override
    public void handle(Exchange exchange) {
        if (exchange.headers().contains(HttpHeaderNames.ORIGIN)) {
            throw new HttpException(HttpResponseStatus.FORBIDDEN,
                    "Origin (expected: none, as no page may do this)");
        }
        Future<Map<String, Object>> reloaded = begin();
        reloaded.addListener(_ -> exchange.proceed(answered -> answer(answered, reloaded)));
    }

    private Future<Map<String, Object>> begin() {
        try {
            return gateway.reload();
        } catch (RejectedExecutionException e) {
            throw new HttpException(HttpResponseStatus.SERVICE_UNAVAILABLE,
                    "the gateway is starting or stopping (expected: one that serves)");
        }
    }

    private static void answer(Exchange exchange, Future<Map<String, Object>> reloaded) throws Exception {
        if (reloaded.isSuccess()) {
            AdminRoutes.json(exchange, HttpResponseStatus.OK, reloaded.getNow());
        } else if (reloaded.cause() instanceof ReloadException refusal) {
            var answer = new LinkedHashMap<String, Object>();
            answer.put("type", "about:blank");
            answer.put("title", INVALID.reasonPhrase());
            answer.put("status", INVALID.code());
            answer.put("detail", "the configuration was not changed");
            answer.put("errors", refusal.mistakes());
            exchange.respond(INVALID, PROBLEM, Unpooled.wrappedBuffer(Json.bytes(answer)));
        } else {
            throw new IllegalStateException(reloaded.cause());
        }
    }
}
