package io.sluice.gateway.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;

/**
 * What has come on a stream before somebody wants it. It is taken from the client's window until it is given
 * back, which bounds it.
 */
final class StreamInput {
    private final Channel stream;
    /** Copied together: a frame of one byte may hold the memory of thousands; or null. */
    private ByteBuf kept;

    StreamInput(Channel stream) {
        this.stream = stream;
    }

    /** Whether nothing is kept. */
    boolean isEmpty() {
        return kept == null;
    }

    /** Keeps bytes, and owns them. */
    void keep(ByteBuf bytes) {
        try {
            if (kept == null) {
                kept = stream.alloc().buffer(bytes.readableBytes());
            }
            kept.writeBytes(bytes);
        } finally {
            bytes.release();
        }
    }

    /** All that is kept, owned by the caller from here on. */
    ByteBuf take() {
        ByteBuf taken = kept;
        kept = null;
        return taken;
    }

    /** Lets the client send so many bytes more. */
    void giveBack(int length) {
        if (length > 0) {
            stream.write(new DefaultHttp2WindowUpdateFrame(length), stream.voidPromise());
        }
    }

    /** Forgets what is kept. */
    void release() {
        if (kept != null) {
            take().release();
        }
    }
}
