package io.sluice.gateway.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.sluice.gateway.exchange.HttpExchange;
import io.sluice.gateway.limits.DirectMemory;
import org.jspecify.annotations.Nullable;

/**
 * Holds input of a stream that has not been demanded yet. It counts against the client's flow-control window
 * until it is given back, which bounds it. On the event loop.
 */
final class StreamInput {
    /** Bytes that are held even while memory is short, such as the pongs of a WebSocket. */
    private static final int LITTLE = 4096;

    private final Channel stream;
    /**
     * The held bytes, copied into one buffer, as a frame of one byte may retain the memory of thousands; null
     * if none.
     */
    private @Nullable ByteBuf kept;
    private int owed;

    StreamInput(Channel stream) {
        this.stream = stream;
    }

    /** Returns whether nothing is held. */
    boolean isEmpty() {
        return kept == null;
    }

    /** Returns whether bytes are held, or owed to the client. */
    boolean waits() {
        return kept != null || owed > 0;
    }

    /**
     * Holds bytes; takes ownership of them.
     *
     * @return whether there is memory for them; if not, they are lost, and their stream must be ended
     */
    boolean keep(ByteBuf bytes) {
        int more = bytes.readableBytes();
        try {
            if (held() + more > LITTLE && DirectMemory.isShort()) {
                return false;
            }
            kept = kept == null ? stream.alloc().buffer(more)
                    : DirectMemory.withRoom(stream.alloc(), kept, more);
            kept.writeBytes(bytes);
            return true;
        } finally {
            bytes.release();
        }
    }

    private int held() {
        return kept == null ? 0 : kept.readableBytes();
    }

    /** Returns all held bytes, owned by the caller, and forgets them. */
    ByteBuf take() {
        ByteBuf taken = kept == null ? Unpooled.EMPTY_BUFFER : kept;
        kept = null;
        return taken;
    }

    /**
     * Passes content on to the request's reader. Its bytes are given back to the client at once, or, if the
     * reader has no room for others, by {@link #giveBackOwed}.
     */
    void pass(HttpExchange to, ByteBuf content) {
        owed += content.readableBytes();
        to.content(new DefaultHttpContent(content));
        if (!to.body().isPaused()) {
            giveBackOwed();
        }
    }

    /** Gives the owed bytes back to the client. */
    void giveBackOwed() {
        giveBack(owed);
        owed = 0;
    }

    /** Returns so many bytes to the client's flow-control window. Does not flush. */
    void giveBack(int length) {
        if (length > 0) {
            stream.write(new DefaultHttp2WindowUpdateFrame(length), stream.voidPromise());
        }
    }

    /** Releases the held bytes. */
    void release() {
        take().release();
    }
}
