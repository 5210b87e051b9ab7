package io.sluice.gateway.limits;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.RouteHandler;

/** Answers 503 in a handler's place while memory is short; the client comes back by another connection. */
public final class MemoryShedding implements RouteHandler {
    private final RouteHandler handler;

    /** Stands in for a handler. */
    public MemoryShedding(RouteHandler handler) {
        this.handler = handler;
    }

    @Override
    public void handle(Exchange exchange) throws Exception {
        if (DirectMemory.isShort()) {
            throw HttpException.tryAgain("the gateway is short of memory", null)
                    .with(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        handler.handle(exchange);
    }
}
