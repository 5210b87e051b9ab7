package io.sluice.handlers.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A body that an event loop passes to a worker. It is released by the worker that reads it, or by {@link
 * #drop} if the work ends before it begins.
 */
public final class OffloadedBody {
    /** Null once it is being read, or has been dropped. */
    private final AtomicReference<@Nullable ByteBuf> body;

    /** Retains the body. */
    public OffloadedBody(ByteBuf body) {
        this.body = new AtomicReference<>(body.retain());
    }

    /** Copies a body whose buffer may be much larger than the body. */
    public static OffloadedBody copy(ByteBuf body, ByteBufAllocator alloc) {
        int length = body.readableBytes();
        ByteBuf copy = alloc.buffer(length, length);
        try {
            return new OffloadedBody(copy.writeBytes(body, body.readerIndex(), length));
        } finally {
            copy.release();
        }
    }

    /**
     * Reads and releases the body. On the worker.
     *
     * @throws CancellationException if the body has been dropped
     */
    public <T> T read(Function<ByteBuf, T> reader) {
        ByteBuf taken = body.getAndSet(null);
        if (taken == null) {
            throw new CancellationException();
        }
        try {
            return reader.apply(taken);
        } finally {
            taken.release();
        }
    }

    /** Releases the body, unless a worker has begun to read it. Never blocks. */
    public void drop() {
        ByteBuf unread = body.getAndSet(null);
        if (unread != null) {
            unread.release();
        }
    }
}
