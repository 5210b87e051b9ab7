package io.sluice.gateway.limits;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The direct memory of the JVM, from which buffers are allocated, and whether it is running out. The limit is
 * -XX:MaxDirectMemorySize, or the maximum heap size if that is not set. Thread-safe.
 *
 * <p>While it is short, new work is refused until buffers are released: requests are rejected, uploads
 * aborted, responses wait, and connections are read in small pieces or not at all. New buffers, including
 * those of rejections, are allocated on the heap.
 */
public final class DirectMemory {
    private static final long SAMPLE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The allocator of all buffers. */
    public static final PooledByteBufAllocator ALLOCATOR = BufferPool.of(PlatformDependent.maxDirectMemory());
    /** The allocator for transports in native code, from the same pool. */
    public static final ByteBufAllocator FOR_NATIVE_CODE = new NativeBuffers((BufferPool) ALLOCATOR);

    /** Bytes of native memory in use outside of the pool. */
    private static final AtomicLong OUTSIDE = new AtomicLong();

    private static final DirectMemory OF_PROCESS = new DirectMemory(PlatformDependent.maxDirectMemory(),
            () -> PlatformDependent.usedDirectMemory() + OUTSIDE.get(),
            () -> ALLOCATOR.pinnedDirectMemory() + OUTSIDE.get());

    private final long limit;
    private final LongSupplier reserved;
    private final LongSupplier used;
    private volatile long sampledAt = System.nanoTime() - 2 * SAMPLE_NANOS;
    private volatile boolean muchInUse;
    private volatile boolean told;

    /**
     * Memory with the given measurements.
     *
     * @param limit in bytes
     * @param reserved the bytes of the chunks that the pool has allocated, and those counted besides; cheap
     *     to read
     * @param used the bytes of these that buffers in use hold, and those counted besides the pool; expensive
     *     to read
     */
    DirectMemory(long limit, LongSupplier reserved, LongSupplier used) {
        this.limit = limit;
        this.reserved = reserved;
        this.used = used;
    }

    /** Returns whether direct memory is so short that new work must wait or be rejected. Any thread. */
    public static boolean isShort() {
        return OF_PROCESS.isRunningOut();
    }

    /**
     * Returns a buffer with room for more bytes: the same one, which may grow, or a copy on the heap if it
     * would have to grow while direct memory is short. A direct buffer that grows would bypass {@link
     * #isShort()}.
     *
     * @param buffer owned by the caller, who owns the returned one instead from here on
     * @param bytes how many will be added next
     */
    public static ByteBuf withRoom(ByteBufAllocator alloc, ByteBuf buffer, int bytes) {
        boolean grows = buffer.isReadable() && buffer.maxFastWritableBytes() < bytes;
        if (!grows || !buffer.isDirect() || !isShort()) {
            return buffer;
        }
        ByteBuf onHeap = alloc.heapBuffer(buffer.readableBytes() + bytes).writeBytes(buffer);
        buffer.release();
        return onHeap;
    }

    /**
     * Counts native memory as if it came from the pool. Any thread.
     *
     * @param bytes that are taken; negative if they are released
     */
    public static void count(long bytes) {
        OUTSIDE.addAndGet(bytes);
    }

    /** Returns the direct memory of this JVM. */
    public static DirectMemory ofProcess() {
        return OF_PROCESS;
    }

    /** Returns whether {@link #isRunningOut()} has returned true since the last call of this method. */
    boolean wasShort() {
        if (!told) {
            return false; // do not clear what another thread sets now
        }
        told = false;
        return true;
    }

    /** Makes event loops release the memory in their caches, if the pool has reserved much. */
    void trim(Iterable<EventExecutor> loops) {
        if (hasTakenMuch()) {
            loops.forEach(loop -> loop.execute(ALLOCATOR::trimCurrentThreadCache));
        }
    }

    /** Returns the limit in bytes. */
    public long limit() {
        return limit;
    }

    /**
     * Returns the memory that the pool has reserved, and what is counted besides it, in bytes. The sum may
     * exceed the limit, which bounds the pool.
     */
    public long reserved() {
        return reserved.getAsLong();
    }

    /**
     * The part of the reserved memory that is in use, in bytes: by buffers, and all that is counted besides
     * the pool. Too expensive to call for each request.
     */
    public long used() {
        return used.getAsLong();
    }

    private boolean hasTakenMuch() {
        return reserved.getAsLong() >= limit / 5 * 4;
    }

    /**
     * Returns whether four fifths of the limit are reserved and one fifth is in use. Of the reserved memory,
     * much can be fragmented, and some is reserved even in idle.
     */
    boolean isRunningOut() {
        if (!hasTakenMuch()) {
            return false;
        }
        long now = System.nanoTime();
        if (now - sampledAt > SAMPLE_NANOS) {
            sampledAt = now;
            muchInUse = used.getAsLong() >= limit / 5;
        }
        if (muchInUse) {
            told = true;
        }
        return muchInUse;
    }
}
