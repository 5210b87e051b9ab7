package io.sluice.gateway.limits;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;

/**
 * The pool for transports in native code, which can read and write nothing but direct memory: what it is not
 * certain of comes from the heap while that is short, and what is said to be for them does not.
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
