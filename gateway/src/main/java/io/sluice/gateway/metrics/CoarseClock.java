package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.Clock;

/**
 * Micrometer's clock, whose time of day stands still between {@link #tick ticks}: each request asks for it
 * twice, to find whether a window of minutes is over. Any thread.
 */
final class CoarseClock implements Clock {
    private volatile long millis = System.currentTimeMillis();

    /** Sets it to now. */
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
