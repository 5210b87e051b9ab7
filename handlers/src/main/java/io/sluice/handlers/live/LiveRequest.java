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
    /** The target stands in the stream's exchange, too, and its values tell results apart. */
    private static final int OF_TARGET = 20;
    /** Header fields may be such values, too. */
    private static final int OF_HEADERS = 4;

    private final HttpRequest head;
    private final EventExecutor loop;
    private final ByteBufAllocator alloc;
    private final int held;

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
        String target = exchange.request().uri();
        held = OF_TARGET * target.length() + OF_HEADERS * length(headers);
        head = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, target, headers);
    }

    private static int length(HttpHeaders headers) {
        return headers.entries().stream()
                .mapToInt(field -> field.getKey().length() + field.getValue().length()).sum();
    }

    /** Returns about how many bytes of the heap this holds for as long as its result. */
    int held() {
        return held;
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
