package io.sluice.handlers.query;

import io.netty.util.concurrent.Ticker;
import io.sluice.handlers.write.ParameterHash;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Parameter values of a query that led to a row beyond the fetch buffer: running it with them again would
 * break another connection. Remembers up to 64, by their SHA-256, for 10 s. Thread-safe.
 */
final class OversizeValues {
    private static final int SLOTS = 64;
    private static final long MEMORY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Ticker clock;
    /** Indexed by the first byte of the digest; newer entries replace older ones. */
    private final AtomicReferenceArray<Entry> slots = new AtomicReferenceArray<>(SLOTS);
    private volatile long until;

    private record Entry(ByteBuffer digest, long until) {
    }

    OversizeValues(Ticker clock) {
        this.clock = clock;
        until = clock.nanoTime();
    }

    void add(@Nullable Object[] values) {
        until = clock.nanoTime() + MEMORY_NANOS;
        ByteBuffer digest = digest(values);
        slots.set(slot(digest), new Entry(digest, until));
    }

    /** Returns whether these values are remembered. */
    boolean has(@Nullable Object[] values) {
        if (isEmpty()) {
            return false;
        }
        ByteBuffer digest = digest(values);
        Entry entry = slots.get(slot(digest));
        return entry != null && entry.until - clock.nanoTime() > 0 && entry.digest.equals(digest);
    }

    /** Returns whether no values are remembered. */
    boolean isEmpty() {
        return until - clock.nanoTime() <= 0;
    }

    private static int slot(ByteBuffer digest) {
        return Math.floorMod(digest.get(0), SLOTS);
    }

    /**
     * Uses no hash codes: clients could choose values whose hash codes equal those of other clients' values.
     */
    private static ByteBuffer digest(@Nullable Object[] values) {
        return ByteBuffer.wrap(ParameterHash.of(values));
    }
}
