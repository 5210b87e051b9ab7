package io.sluice.gateway.limits;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The memory outside the heap that buffers are made of, and whether it is running out. Its limit is the
 * JVM's -XX:MaxDirectMemorySize, or the heap's size where that is not set. Thread-safe.
 *
 * <p>Where it is short, whoever would take more does without until some is given back: requests are refused,
 * uploads cut off, answers wait, connections are read in small pieces or not at all. New buffers come from
 * the heap meanwhile, those of refusals too.
 */
public final class DirectMemory {
    private static final long SAMPLE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** What buffers come from. */
    public static final PooledByteBufAllocator ALLOCATOR = BufferPool.of(PlatformDependent.maxDirectMemory());
    /** The same for transports in native code. */
    public static final ByteBufAllocator FOR_NATIVE_CODE = new NativeBuffers((BufferPool) ALLOCATOR);

    private static final DirectMemory OF_PROCESS = new DirectMemory(PlatformDependent.maxDirectMemory(),
            PlatformDependent::usedDirectMemory, ALLOCATOR::pinnedDirectMemory);

    private final long limit;
    private final LongSupplier reserved;
    private final LongSupplier used;
    private volatile long sampledAt = System.nanoTime() - 2 * SAMPLE_NANOS;
    private volatile boolean muchInUse;
    private volatile boolean told;

    /**
     * Memory that is measured so.
     *
     * @param limit in bytes
     * @param reserved what the pool has taken, in chunks, in bytes; quickly read
     * @param used what buffers hold of that, which takes a while to find out
     */
    DirectMemory(long limit, LongSupplier reserved, LongSupplier used) {
        this.limit = limit;
        this.reserved = reserved;
        this.used = used;
    }

    /** Whether the process has so little left that who wants more must wait or do without. */
    public static boolean isShort() {
        return OF_PROCESS.isRunningOut();
    }

    /**
     * A buffer to which more is added: the same one, which may grow, or while memory is short one from the
     * heap in its place. To grow, it would take direct memory past all who ask first.
     *
     * @param buffer owned by the caller, as what is returned is; not both
     * @param bytes that are added next
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

    /** The JVM's. */
    public static DirectMemory ofProcess() {
        return OF_PROCESS;
    }

    /** Whether anybody was told that it is running out since this was asked last. */
    boolean wasShort() {
        if (!told) {
            return false; // and nothing is cleared that is told meanwhile
        }
        told = false;
        return true;
    }

    /** Has event loops give back what they keep for their next buffers, if the pool has taken much. */
    void trim(Iterable<EventExecutor> loops) {
        if (hasTakenMuch()) {
            loops.forEach(loop -> loop.execute(ALLOCATOR::trimCurrentThreadCache));
        }
    }

    /** In bytes. */
    public long limit() {
        return limit;
    }

    /** What is reserved, in bytes. */
    public long reserved() {
        return reserved.getAsLong();
    }

    /** What buffers in use hold of that, in bytes. Takes a while: not for each request. */
    public long used() {
        return used.getAsLong();
    }

    private boolean hasTakenMuch() {
        return reserved.getAsLong() >= limit / 5 * 4;
    }

    /**
     * Four fifths are reserved, and one in use: of what is reserved, much may lie where it is of no use, and
     * some even when there is nothing to do.
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
