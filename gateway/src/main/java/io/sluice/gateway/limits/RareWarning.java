package io.sluice.gateway.limits;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Keeps what happens all the time out of the log all the time: once in ten seconds is enough. */
final class RareWarning {
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final AtomicLong due = new AtomicLong(System.nanoTime());

    /** Whether it is time for one. */
    boolean isDue() {
        long now = System.nanoTime();
        long at = due.get();
        return now - at >= 0 && due.compareAndSet(at, now + PERIOD_NANOS);
    }
}
