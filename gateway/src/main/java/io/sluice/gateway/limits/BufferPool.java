package io.sluice.gateway.limits;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.NettyRuntime;

/** Where buffers come from: direct memory, or the heap while that is short. An error there helps nobody. */
final class BufferPool extends PooledByteBufAllocator {
    /** In bytes. Of less, chunks of 4 MiB and what threads keep for themselves take too large a part. */
    private static final long PLENTY = 512L << 20;
    private static final int PAGE = 8192;
    private static final int CHUNK_ORDER = 7;
    private static final int CHUNKS_OF_AN_ARENA = 16;

    /** One as Netty makes it. */
    private BufferPool() {
        super(true);
    }

    /** One with chunks of 1 MiB, of which threads keep nothing for themselves. */
    private BufferPool(int arenas) {
        super(true, arenas, arenas, PAGE, CHUNK_ORDER, 0, 0, false);
    }

    /** One that gets by with so many bytes of direct memory. */
    static BufferPool of(long limit) {
        long chunks = limit / (PAGE << CHUNK_ORDER);
        return limit >= PLENTY ? new BufferPool() : new BufferPool(
                Math.clamp(chunks / CHUNKS_OF_AN_ARENA, 1, 2 * NettyRuntime.availableProcessors()));
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        return DirectMemory.isShort() ? newHeapBuffer(initialCapacity, maxCapacity)
                : super.newDirectBuffer(initialCapacity, maxCapacity);
    }

    /** From direct memory, however short that is. */
    ByteBuf direct(int initialCapacity, int maxCapacity) {
        return super.newDirectBuffer(initialCapacity, maxCapacity);
    }
}
