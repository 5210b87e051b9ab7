package io.sluice.handlers.http;

import io.netty.buffer.ByteBuf;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * A body on its way from an event loop to a worker. It is released by the worker that reads it, or where the
 * work ends before it has begun.
 */
public final class OffloadedBody {
    /** Null from when it is being read, or has been dropped. */
    private final AtomicReference<ByteBuf> body;

    /** Retains a body. */
    public OffloadedBody(ByteBuf body) {
        this.body = new AtomicReference<>(body.retain());
    }

    /**
     * Reads it, on the worker, and releases it.
     *
     * @throws CancellationException where it has been dropped
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

    /** Releases it, unless a worker has begun to read it; never waits. */
    public void drop() {
        ByteBuf unread = body.getAndSet(null);
        if (unread != null) {
            unread.release();
        }
    }
}
