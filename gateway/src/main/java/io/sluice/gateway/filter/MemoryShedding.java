package io.sluice.gateway.filter;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.sluice.gateway.limits.DirectMemory;
import io.sluice.gateway.limits.HeapMemory;
import io.sluice.gateway.limits.UnsentMemory;
import io.sluice.handlers.Filter;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.RouteHandler;

/**
 * Rejects requests with 503 while direct memory or the heap is short, and those of a client whose unread
 * responses take its share. It closes connections of HTTP/1, and only ends the streams of HTTP/2.
 */
public final class MemoryShedding implements Filter {

    @Override
    public RouteHandler around(RouteHandler next) {
        return exchange -> {
            if (DirectMemory.isShort() || HeapMemory.isShort()) {
                throw closing(HttpException.tryAgain("the gateway is short of memory", null));
            }
            if (UnsentMemory.isFull(exchange.clientNetwork())) {
                throw closing(UnsentMemory.refusal());
            }
            next.handle(exchange);
        };
    }

    private static HttpException closing(HttpException reason) {
        return reason.with(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
}
