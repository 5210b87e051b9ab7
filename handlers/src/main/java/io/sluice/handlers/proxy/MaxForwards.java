package io.sluice.handlers.proxy;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;

/** The number of times that OPTIONS may be passed on (RFC 9110 section 7.6.2). Other methods ignore it. */
final class MaxForwards {

    private MaxForwards() {
    }

    /** Returns whether a request must not be passed on. */
    static boolean isReached(HttpRequest request) {
        return limit(request) == 0;
    }

    /** Lowers the number in the headers of a request that is passed on. */
    static void lower(HttpRequest received, HttpHeaders sent) {
        int limit = limit(received);
        if (limit > 0) {
            sent.set(HttpHeaderNames.MAX_FORWARDS, limit - 1);
        }
    }

    private static int limit(HttpRequest request) {
        return request.method().equals(HttpMethod.OPTIONS)
                ? request.headers().getInt(HttpHeaderNames.MAX_FORWARDS, -1) : -1;
    }
}
