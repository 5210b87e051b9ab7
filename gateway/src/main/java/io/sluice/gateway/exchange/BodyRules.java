package io.sluice.gateway.exchange;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;

/** Tells from the head of a response what body it can have. */
final class BodyRules {
    private static final AsciiString GRPC = AsciiString.cached("application/grpc");

    private BodyRules() {
    }

    /** Returns whether such a response has no body (RFC 9110 sections 6.4.1 and 15.3.6). */
    static boolean hasNoBody(HttpResponseStatus status) {
        int code = status.code();
        return code == HttpResponseStatus.NO_CONTENT.code() || code == HttpResponseStatus.RESET_CONTENT.code()
                || code == HttpResponseStatus.NOT_MODIFIED.code();
    }

    /** Returns whether a response streams events or messages, so that it may have no end of its own. */
    static boolean isEndless(HttpResponse head) {
        String type = head.headers().get(HttpHeaderNames.CONTENT_TYPE);
        return type != null
                && (startsWith(type, HttpHeaderValues.TEXT_EVENT_STREAM) || startsWith(type, GRPC));
    }

    private static boolean startsWith(String text, AsciiString with) {
        return AsciiString.regionMatches(text, true, 0, with, 0, with.length());
    }
}
