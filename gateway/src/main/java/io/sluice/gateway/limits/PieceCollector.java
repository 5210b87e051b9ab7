package io.sluice.gateway.limits;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.sluice.handlers.HttpException;
import io.sluice.offload.ClientNetwork;
import org.jspecify.annotations.Nullable;

/**
 * Collects bytes in pieces of 64 KiB: a buffer that grows is copied, which for 32 MiB is half a second of an
 * event loop.
 */
public final class PieceCollector {
    private static final int PIECE = 64 * 1024;

    private final ByteBufAllocator alloc;
    private final ClientNetwork client;
    private final int first;
    private final long same;
    private boolean refused;
    private long size;
    /** The full pieces; null for none. */
    private @Nullable CountedPieces full;
    /** The piece that is being filled; null for none. */
    private @Nullable ByteBuf last;

    /**
     * Creates an empty collection.
     *
     * @param client the one for which the bytes beyond the first piece count
     * @param first the initial size of the first piece in bytes, at most 64 KiB
     */
    public PieceCollector(ByteBufAllocator alloc, ClientNetwork client, int first) {
        this(alloc, client, first, 0);
    }

    /**
     * Creates an empty collection.
     *
     * @param same the bytes of other forms of the same body, such as before it was decoded
     */
    public PieceCollector(ByteBufAllocator alloc, ClientNetwork client, int first, long same) {
        this.same = same;
        this.alloc = alloc;
        this.client = client;
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

    /**
     * Appends the readable bytes of a buffer, which the caller continues to own.
     *
     * @throws HttpException 503 if the client has no room for a further piece
     */
    public void write(ByteBuf bytes) {
        size += bytes.readableBytes();
        while (bytes.isReadable()) {
            ByteBuf to = last;
            if (to == null) {
                refused |= full != null && !full.tryCount(PIECE, same);
                if (refused) { // nor may what comes later follow a gap
                    throw HttpException.tryAgain("too many bodies of this client wait", null);
                }
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
            full = new CountedPieces(alloc, client);
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
