package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.Clock;

/**
 * A clock for Micrometer whose wall time changes only with each {@link #tick}. Micrometer reads it twice per
 * request, to rotate windows that last minutes. Any thread.
 */
final class CoarseClock implements Clock {
    private volatile long millis = System.currentTimeMillis();

    /** Updates the wall time. */
    void tick() {
        millis = System.currentTimeMillis();
    }

    @Override
    public long wallTime() {
        return millis;
    }

    @Override
    public long monotonicTime() {
        return System.nanoTime();
    }
}
