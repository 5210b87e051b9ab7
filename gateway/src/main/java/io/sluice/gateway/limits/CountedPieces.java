package io.sluice.gateway.limits;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.sluice.offload.ClientNetwork;

/** A body in pieces, which counts for its client until it is released. */
final class CountedPieces extends CompositeByteBuf {
    private final BodyMemory memory;

    /** Creates an empty body. */
    CountedPieces(ByteBufAllocator alloc, ClientNetwork client) {
        super(alloc, alloc.isDirectBufferPooled(), Integer.MAX_VALUE);
        memory = new BodyMemory(client);
    }

    /** Returns the account of the body, which is settled when it is released. */
    BodyMemory memory() {
        return memory;
    }

    @Override
    protected void deallocate() {
        super.deallocate();
        memory.giveBackAll();
    }
}
