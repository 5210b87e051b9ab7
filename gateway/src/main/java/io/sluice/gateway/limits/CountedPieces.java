package io.sluice.gateway.limits;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.sluice.handlers.BytesByClient;
import io.sluice.handlers.MemoryShare;
import io.sluice.offload.ClientNetwork;

/**
 * A large body in pieces, which counts for its client until it is released. Without a share for each client,
 * one could make direct memory short for all by bodies that wait for a worker.
 */
final class CountedPieces extends CompositeByteBuf {
    private static final BytesByClient BODIES = new BytesByClient();

    private final ClientNetwork client;
    private int counted;

    /** Creates an empty body. */
    CountedPieces(ByteBufAllocator alloc, ClientNetwork client) {
        super(alloc, alloc.isDirectBufferPooled(), Integer.MAX_VALUE);
        this.client = client;
    }

    /**
     * Counts further bytes if the client has room for them in {@link MemoryShare#EIGHTH}. It may have one
     * body of any size.
     *
     * @param same the most bytes that count for other forms of the same body
     */
    boolean tryCount(int bytes, long same) {
        counted += bytes;
        long ofClient = BODIES.add(client, bytes);
        if (ofClient <= MemoryShare.EIGHTH || ofClient - counted <= same) {
            return true;
        }
        counted -= bytes;
        BODIES.add(client, -bytes);
        return false;
    }

    @Override
    protected void deallocate() {
        super.deallocate();
        if (counted > 0) {
            BODIES.add(client, -counted);
        }
    }
}
