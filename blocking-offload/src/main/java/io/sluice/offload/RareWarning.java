package io.sluice.offload;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Limits a warning to one every 10 s. Thread-safe. */
public final class RareWarning {
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final AtomicLong due = new AtomicLong(System.nanoTime());

    /** Returns whether a warning may be logged now; if so, the next one may be 10 s later. */
    public boolean tryTake() {
        long now = System.nanoTime();
        long at = due.get();
        return now - at >= 0 && due.compareAndSet(at, now + PERIOD_NANOS);
    }
}
