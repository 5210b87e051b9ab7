package io.sluice.handlers.message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;

/**
 * Joins the small pieces of a body that one read holds. Every message costs the pipeline time, and a read of
 * 64 KiB can hold more than 10,000 chunks of one byte.
 */
public final class SmallPieces {
    /** The most bytes of a piece that is copied to others. */
    private static final int SMALL = 512;
    private static final int MAX_JOINED = 4 * 1024;

    private SmallPieces() {
    }

    /** A step of a decoder, which adds one message at most to its output. */
    @FunctionalInterface
    public interface Step {
        /** Decodes the next message, if all of it has arrived. */
        void decode() throws Exception;
    }

    /**
     * Decodes further small pieces if the last decoded message is one, and joins them. On the event loop.
     *
     * @param in the input that has not been decoded
     * @param out the decoded messages
     * @param next decodes the next message
     */
    public static void join(ByteBufAllocator alloc, ByteBuf in, List<Object> out, Step next)
            throws Exception {
        int at = out.size() - 1;
        if (at < 0 || !isSmall(out.get(at))) {
            return;
        }
        ByteBuf joined = null;
        while (in.isReadable()) {
            next.decode();
            if (out.size() == at + 1 || !isSmall(out.get(at + 1))) {
                return;
            }
            if (joined == null) {
                joined = alloc.buffer(Math.min(in.readableBytes() + 2 * SMALL, MAX_JOINED));
                append(joined, (HttpContent) out.set(at, new DefaultHttpContent(joined)));
            }
            append(joined, (HttpContent) out.remove(at + 1));
            if (joined.writableBytes() < SMALL) {
                return;
            }
        }
    }

    private static boolean isSmall(Object message) {
        return message instanceof HttpContent piece && !(message instanceof LastHttpContent)
                && piece.content().readableBytes() <= SMALL;
    }

    private static void append(ByteBuf to, HttpContent piece) {
        to.writeBytes(piece.content());
        piece.release();
    }
}
