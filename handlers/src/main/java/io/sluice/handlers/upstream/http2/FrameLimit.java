package io.sluice.handlers.upstream.http2;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import java.util.concurrent.TimeUnit;

/**
 * Rejects a flood of frames that cost much time and that an endpoint has little reason to send. Confined to
 * the event loop.
 */
final class FrameLimit {
    private static final int MAX_FRAMES = 100;
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final String kind;
    /** The frames of an interval, and its start. */
    private int read;
    private long since;

    FrameLimit(String kind) {
        this.kind = kind;
    }

    /** Counts a frame. Throws an error of the connection if there were too many. */
    void count(ChannelHandlerContext ctx) throws Http2Exception {
        long now = ctx.executor().ticker().nanoTime();
        if (read == 0 || now - since > INTERVAL_NANOS) {
            read = 0;
            since = now;
        }
        if (++read > MAX_FRAMES) {
            throw Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, "%d %s within seconds", read,
                    kind);
        }
    }
}
