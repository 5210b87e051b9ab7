package io.sluice.handlers.live;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ExchangeWrapper;
import io.sluice.handlers.message.FlatHeaders;
import java.util.function.Consumer;

/**
 * The request of a stream as one for JSON, without conditions on what its client has. It can be read after
 * the stream has ended.
 */
final class LiveRequest extends ExchangeWrapper {
    private final HttpRequest head;
    private final EventExecutor loop;
    private final ByteBufAllocator alloc;

    LiveRequest(Exchange exchange) {
        super(exchange);
        loop = exchange.eventLoop();
        alloc = exchange.alloc();
        HttpHeaders headers = new FlatHeaders(exchange.headers().size() + 1).add(exchange.headers());
        headers.set(HttpHeaderNames.ACCEPT, HttpHeaderValues.APPLICATION_JSON);
        headers.remove(HttpHeaderNames.IF_NONE_MATCH);
        headers.remove(HttpHeaderNames.IF_MATCH);
        headers.remove(HttpHeaderNames.IF_MODIFIED_SINCE);
        headers.remove(HttpHeaderNames.IF_UNMODIFIED_SINCE);
        head = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, exchange.request().uri(),
                headers);
    }

    @Override
    public HttpRequest request() {
        return head;
    }

    /** Drops an edit, as events have no head of their own; the exchange of the stream would keep it. */
    @Override
    public void onResponse(Consumer<HttpResponse> edit) {
        // dropped
    }

    @Override
    public EventExecutor eventLoop() {
        return loop;
    }

    @Override
    public ByteBufAllocator alloc() {
        return alloc;
    }
}
