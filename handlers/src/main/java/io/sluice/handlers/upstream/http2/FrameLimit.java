package io.sluice.handlers.upstream.http2;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import java.util.concurrent.TimeUnit;

/** Rejects a flood of frames that an endpoint has little reason to send. Confined to the event loop. */
final class FrameLimit {
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final int max;
    private final String kind;
    /** The frames that are not counted. */
    private int excused;
    /** The frames of an interval, and its start. */
    private int read;
    private long since;

    /**
     * Creates a limit of frames in 10 s.
     *
     * @param kind of the frames, for the message
     */
    FrameLimit(int max, String kind) {
        this.max = max;
        this.kind = kind;
    }

    /** Excuses frames that are to be expected, no more than the limit in advance. */
    void excuse(int frames) {
        excused = Math.min(excused + frames, max);
    }

    /** Counts a frame. Throws an error of the connection if there were too many. */
    void count(ChannelHandlerContext ctx) throws Http2Exception {
        if (excused > 0) {
            excused--;
            return;
        }
        long now = ctx.executor().ticker().nanoTime();
        if (read == 0 || now - since > INTERVAL_NANOS) {
            read = 0;
            since = now;
        }
        if (++read > max) {
            throw Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, "%d %s within seconds", read,
                    kind);
        }
    }
}
