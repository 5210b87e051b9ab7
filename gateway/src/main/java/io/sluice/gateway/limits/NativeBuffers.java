package io.sluice.gateway.limits;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;

/**
 * An allocator for transports in native code, which can read and write direct memory only. While that is
 * short, buffers of unspecified kind are allocated on the heap, and explicitly direct ones still in direct
 * memory.
 */
final class NativeBuffers extends AbstractByteBufAllocator {
    private final BufferPool pool;

    NativeBuffers(BufferPool pool) {
        super(true);
        this.pool = pool;
    }

    @Override
    public ByteBuf buffer() {
        return DirectMemory.isShort() ? heapBuffer() : directBuffer();
    }

    @Override
    public ByteBuf buffer(int initialCapacity) {
        return DirectMemory.isShort() ? heapBuffer(initialCapacity) : directBuffer(initialCapacity);
    }

    @Override
    public ByteBuf buffer(int initialCapacity, int maxCapacity) {
        return DirectMemory.isShort() ? heapBuffer(initialCapacity, maxCapacity)
                : directBuffer(initialCapacity, maxCapacity);
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
        return pool.heapBuffer(initialCapacity, maxCapacity);
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        return pool.direct(initialCapacity, maxCapacity);
    }

    @Override
    public boolean isDirectBufferPooled() {
        return true;
    }
}
