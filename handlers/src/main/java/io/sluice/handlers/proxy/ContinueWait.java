package io.sluice.handlers.proxy;

import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.Future;
import io.sluice.handlers.Exchange;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The wait of a client for 100 before it sends a body (RFC 9110 section 10.1.1). The endpoint's 100 is passed
 * on; after 1 s the client gets one in any case, as not all servers send it. Confined to the event loop.
 */
final class ContinueWait {
    private static final HttpResponse CONTINUE = new DefaultHttpResponse(HttpVersion.HTTP_1_1,
            HttpResponseStatus.CONTINUE, EmptyHttpHeaders.INSTANCE);
    private static final long DELAY_SECONDS = 1;

    private final Exchange exchange;
    /** Null before the wait begins. */
    private @Nullable Future<?> timer;

    ContinueWait(Exchange exchange) {
        this.exchange = exchange;
    }

    /** Returns whether the client of an exchange waits. */
    static boolean isIn(Exchange exchange) {
        return exchange.hasBody() && HttpUtil.is100ContinueExpected(exchange.request());
    }

    /** Begins the wait. */
    void begin() {
        timer = exchange.eventLoop().schedule(() -> exchange.inform(CONTINUE), DELAY_SECONDS,
                TimeUnit.SECONDS);
    }

    /** Ends the wait, if it has begun. */
    void end() {
        if (timer != null) {
            timer.cancel(false);
        }
    }
}
