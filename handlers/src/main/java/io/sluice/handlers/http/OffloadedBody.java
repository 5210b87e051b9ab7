package io.sluice.handlers.http;

import io.netty.buffer.ByteBuf;
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
