package io.sluice.gateway.limits;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.MemoryShare;
import io.sluice.offload.ClientNetwork;
import org.jspecify.annotations.Nullable;

/**
 * Collects bytes in pieces of 64 KiB: a buffer that grows is copied, which for 32 MiB is half a second of an
 * event loop.
 */
public final class PieceCollector {
    private static final int PIECE = 64 * 1024;
    /** The bytes that are counted at once, while the first piece grows; then whole pieces are. */
    private static final int BLOCK = 16 * 1024;

    private final ByteBufAllocator alloc;
    private final ClientNetwork client;
    private final int first;
    private final long same;
    private boolean refused;
    private long size;
    /** The full pieces, and the account of all; null while the body is so small that it does not count. */
    private @Nullable CountedPieces full;
    /** The piece that is being filled; null for none. */
    private @Nullable ByteBuf last;

    /**
     * Creates an empty collection.
     *
     * @param client the one for which more than {@link MemoryShare#FREE_BODY} bytes count
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
        this.same = same == 0 ? 0 : same + 2 * PIECE; // two forms, each counted in whole pieces
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
     * @throws HttpException 503 if the client has no room for so many bytes more
     */
    public void write(ByteBuf bytes) {
        size += bytes.readableBytes();
        refused |= size > MemoryShare.FREE_BODY && !tryCount();
        if (refused) { // nor may what comes later follow a gap
            throw BodyMemory.refusal();
        }
        while (bytes.isReadable()) {
            ByteBuf to = last;
            if (to == null) {
                to = alloc.buffer(hasFull() ? PIECE : first, PIECE);
                last = to;
            }
            to.writeBytes(bytes, Math.min(bytes.readableBytes(), to.maxWritableBytes()));
            if (full != null && to.maxWritableBytes() == 0) {
                full.addComponent(true, to);
                last = null;
            }
        }
    }

    /**
     * Adds a buffer as it is, as the first one.
     *
     * @param bytes more than {@link MemoryShare#FREE_BODY}; owned by this object from here on
     * @throws HttpException 503 if the client has no room for so many bytes
     */
    public void take(ByteBuf bytes) {
        size = bytes.readableBytes();
        refused = !tryCount();
        if (refused) {
            bytes.release();
            throw BodyMemory.refusal();
        }
        counted().addComponent(true, bytes);
    }

    private boolean hasFull() {
        return full != null && full.numComponents() > 0;
    }

    private CountedPieces counted() {
        CountedPieces present = full == null ? new CountedPieces(alloc, client) : full;
        full = present;
        return present;
    }

    /** Counts the bytes so far, if the client has room for them. */
    private boolean tryCount() {
        BodyMemory memory = counted().memory();
        int block = size > PIECE ? PIECE : BLOCK;
        long more = (size + block - 1) / block * block - memory.taken();
        boolean fits = more == 0 || memory.hasRoom(more, same);
        if (fits) {
            memory.take(more);
        }
        return fits;
    }

    /** Returns all bytes, which the caller owns from here on; nothing is left. */
    public ByteBuf whole() {
        if (full != null && last != null) {
            full.addComponent(true, last);
            last = null;
        }
        ByteBuf whole = full != null ? full : last != null ? last : Unpooled.EMPTY_BUFFER;
        full = null;
        last = null;
        return whole;
    }
}
