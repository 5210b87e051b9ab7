package io.sluice.handlers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Parts that all event streams have: the head, and lines that are no events (HTML, section 9.2.6). No blank
 * line follows those: it would set the last event id of a client that has come back to none, until the stream
 * has one.
 */
public final class EventStreams {
    private static final AsciiString X_ACCEL_BUFFERING = AsciiString.cached("x-accel-buffering");
    private static final String COMMENT = ":\n";
    /** The mean is what browsers wait for by themselves. */
    private static final int MIN_MILLIS = 1_000;
    private static final int MAX_MILLIS = 5_000;

    private EventStreams() {
    }

    /** Returns the head of a stream, which neither caches nor compressors nor proxies may hold back. */
    public static HttpResponse head() {
        var head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.headers().set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.TEXT_EVENT_STREAM);
        head.headers().set(HttpHeaderNames.CACHE_CONTROL, "no-cache, no-transform");
        head.headers().set(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT);
        head.headers().set(X_ACCEL_BUFFERING, "no"); // nginx buffers otherwise
        return head;
    }

    /** Returns a comment, owned by the caller, so that proxies do not close the connection. */
    public static ByteBuf comment(ByteBufAllocator alloc) {
        return ByteBufUtil.writeAscii(alloc, COMMENT);
    }

    /**
     * Returns the time after which the client connects again when the stream ends, 1 to 5 s, owned by the
     * caller. It is random, so that clients whose gateway is killed do not all come back at the same moment.
     */
    public static ByteBuf retry(ByteBufAllocator alloc) {
        int millis = ThreadLocalRandom.current().nextInt(MIN_MILLIS, MAX_MILLIS + 1);
        return ByteBufUtil.writeAscii(alloc, "retry: " + millis + '\n');
    }
}
