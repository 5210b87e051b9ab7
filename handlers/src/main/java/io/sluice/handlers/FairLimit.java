package io.sluice.handlers;

import io.sluice.offload.ClientNetwork;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A limit of bytes, or of a number, that all clients share. One client may take half. A check precedes what
 * is added, so the last addition may exceed the limit. Thread-safe.
 */
public final class FairLimit {
    private final long limit;
    private final AtomicLong used = new AtomicLong();
    private final BytesByClient byClient = new BytesByClient();

    /** Creates a limit of which nothing is used. */
    public FairLimit(long limit) {
        this.limit = limit;
    }

    /** Returns what is used. */
    public long used() {
        return used.get();
    }

    /** Adds to what a client uses, or removes if negative; null for what the gateway itself uses. */
    public void add(@Nullable ClientNetwork client, long more) {
        used.addAndGet(more);
        if (client != null) {
            byClient.add(client, more);
        }
    }

    /** Returns whether the limit is reached, by all together or by a client alone; null for the gateway. */
    public boolean isFull(@Nullable ClientNetwork client) {
        return used.get() >= limit || client != null && 2 * byClient.of(client) >= limit;
    }
}
