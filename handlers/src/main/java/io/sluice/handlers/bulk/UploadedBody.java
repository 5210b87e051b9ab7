package io.sluice.handlers.bulk;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.util.ReferenceCountUtil;
import io.sluice.offload.WorkScope;
import io.sluice.offload.spill.Spill;
import java.io.InputStream;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A stored body, as a stream that reads 64 KiB of the disk at a time. It is released by the worker that opens
 * it, or by {@link #drop} if the work ends before it begins.
 */
final class UploadedBody extends InputStream {
    private final @Nullable Spill spill;
    private final ByteBuf tail;
    private final ByteBufAllocator alloc;
    /** True once it has been opened or dropped. */
    private final AtomicBoolean taken = new AtomicBoolean();
    private long position;
    private ByteBuf piece = Unpooled.EMPTY_BUFFER;
    private boolean open;
    private @Nullable WorkScope reader;

    /**
     * Creates a stream that owns the body.
     *
     * @param tail the bytes after those on disk
     */
    UploadedBody(@Nullable Spill spill, ByteBuf tail, ByteBufAllocator alloc) {
        this.spill = spill;
        this.tail = tail;
        this.alloc = alloc;
    }

    /**
     * Keeps the body until the close, for a task that reads it.
     *
     * @throws CancellationException if the body has been dropped
     */
    UploadedBody open(WorkScope scope) {
        if (taken.getAndSet(true)) {
            throw new CancellationException();
        }
        reader = scope;
        open = true;
        return this;
    }

    /** Releases the body, unless a worker has opened it. Never blocks. */
    void drop() {
        if (!taken.getAndSet(true)) {
            free();
        }
    }

    private void free() {
        piece.release();
        piece = Unpooled.EMPTY_BUFFER;
        tail.release();
        ReferenceCountUtil.release(spill);
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    /** Throws a {@link CancellationException} if the task is cancelled, also where there are no rows. */
    @Override
    public int read(byte[] bytes, int offset, int length) {
        if (reader != null && reader.isAbandoned()) {
            throw new CancellationException();
        }
        if (!piece.isReadable() && spill != null && position < spill.size()) {
            piece.release();
            piece = Unpooled.EMPTY_BUFFER;
            piece = spill.read(alloc, position);
            position += piece.readableBytes();
        }
        ByteBuf from = piece.isReadable() ? piece : tail;
        int some = Math.min(length, from.readableBytes());
        from.readBytes(bytes, offset, some);
        return some == 0 && length > 0 ? -1 : some;
    }

    /** Returns what is left; the end of gzip is where nothing is. */
    @Override
    public int available() {
        long onDisk = spill == null ? 0 : spill.size() - position;
        return (int) Math.min(Integer.MAX_VALUE, onDisk + piece.readableBytes() + tail.readableBytes());
    }

    @Override
    public void close() {
        if (open) {
            open = false;
            free();
        }
    }
}
