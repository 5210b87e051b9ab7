package io.sluice.gateway.limits;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.NettyRuntime;

/**
 * Allocates buffers from direct memory, or from the heap while direct memory is short: an OutOfMemoryError
 * would help no caller. Those on the heap are not pooled: an arena of Netty's keeps its last chunk that was
 * freed, and through its links others, for as long as nothing else is allocated from the heap.
 */
final class BufferPool extends PooledByteBufAllocator {
    /**
     * In bytes. With less direct memory than this, chunks of 4 MiB and thread caches would take too large a
     * part of it.
     */
    private static final long PLENTY = 512L << 20;
    private static final int PAGE = 8192;
    private static final int CHUNK_ORDER = 7;
    private static final int CHUNKS_OF_AN_ARENA = 16;

    /** Creates a pool with Netty's defaults. */
    private BufferPool() {
        super(true, 0, defaultNumDirectArena(), defaultPageSize(), defaultMaxOrder(), defaultSmallCacheSize(),
                defaultNormalCacheSize(), defaultUseCacheForAllThreads());
    }

    /** Creates a pool with chunks of 1 MiB and no thread caches. */
    private BufferPool(int arenas) {
        super(true, 0, arenas, PAGE, CHUNK_ORDER, 0, 0, false);
    }

    /** Returns the pool for an amount of direct memory, in bytes. */
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

    /** Returns a buffer from direct memory, even while it is short. */
    ByteBuf direct(int initialCapacity, int maxCapacity) {
        return super.newDirectBuffer(initialCapacity, maxCapacity);
    }
}
