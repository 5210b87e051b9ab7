package io.sluice.offload.jdbc;

import io.netty.util.concurrent.Ticker;
import java.util.concurrent.TimeUnit;

/** Counts the connections broken by rows beyond the fetch buffer in the last second. Thread-safe. */
final class LostConnections {
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final int many;
    private final Ticker clock;
    private long begin;
    private int lost;

    /**
     * Creates a counter.
     *
     * @param many the number from which {@link #areMany} is true
     */
    LostConnections(int many, Ticker clock) {
        this.many = many;
        this.clock = clock;
    }

    synchronized void add() {
        long now = clock.nanoTime();
        if (lost == 0 || now - begin >= PERIOD_NANOS) {
            begin = now;
            lost = 0;
        }
        lost++;
    }

    synchronized boolean areMany() {
        return lost >= many && clock.nanoTime() - begin < PERIOD_NANOS;
    }
}
