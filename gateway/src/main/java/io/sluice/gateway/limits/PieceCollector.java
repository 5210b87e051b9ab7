package io.sluice.gateway.limits;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * Collects bytes in pieces of 64 KiB: a buffer that grows is copied, which for 32 MiB is half a second of an
 * event loop.
 */
public final class PieceCollector {
    private static final int PIECE = 64 * 1024;

    private final ByteBufAllocator alloc;
    private final int first;
    private long size;
    /** The full pieces; null for none. */
    private @Nullable CompositeByteBuf full;
    /** The piece that is being filled; null for none. */
    private @Nullable ByteBuf last;

    /**
     * Creates an empty collection.
     *
     * @param first the initial size of the first piece in bytes, at most 64 KiB
     */
    public PieceCollector(ByteBufAllocator alloc, int first) {
        this.alloc = alloc;
        this.first = first;
    }

    /** Returns the number of bytes. */
    public long size() {
        return size;
    }

    /** Returns whether so many bytes more take more memory. */
    public boolean takeMemory(int bytes) {
        return last == null || last.writableBytes() < bytes;
    }

    /** Appends the readable bytes of a buffer, which the caller continues to own. */
    public void write(ByteBuf bytes) {
        size += bytes.readableBytes();
        while (bytes.isReadable()) {
            ByteBuf to = last;
            if (to == null) {
                to = alloc.buffer(full == null ? first : PIECE, PIECE);
                last = to;
            }
            to.writeBytes(bytes, Math.min(bytes.readableBytes(), to.maxWritableBytes()));
            if (to.maxWritableBytes() == 0) {
                addToFull(to);
            }
        }
    }

    private void addToFull(ByteBuf piece) {
        if (full == null) {
            full = alloc.compositeBuffer(Integer.MAX_VALUE);
        }
        full.addComponent(true, piece);
        last = null;
    }

    /** Returns all bytes, which the caller owns from here on; nothing is left. */
    public ByteBuf whole() {
        if (full != null && last != null) {
            addToFull(last);
        }
        ByteBuf whole = full != null ? full : last != null ? last : Unpooled.EMPTY_BUFFER;
        full = null;
        last = null;
        return whole;
    }
}
