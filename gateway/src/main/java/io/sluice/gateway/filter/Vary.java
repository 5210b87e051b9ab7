package io.sluice.gateway.filter;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;

/** Adds names to the header field Vary (RFC 9110 section 12.5.5). */
final class Vary {

    private Vary() {
    }

    /** Adds the name of a request header to a response's Vary, unless it is there. */
    static void on(CharSequence name, HttpHeaders answer) {
        if (!answer.contains(HttpHeaderNames.VARY)) {
            answer.set(HttpHeaderNames.VARY, name);
        } else if (!answer.containsValue(HttpHeaderNames.VARY, name, true)
                && !answer.containsValue(HttpHeaderNames.VARY, "*", true)) {
            answer.set(HttpHeaderNames.VARY,
                    String.join(", ", answer.getAll(HttpHeaderNames.VARY)) + ", " + name);
        }
    }
}
