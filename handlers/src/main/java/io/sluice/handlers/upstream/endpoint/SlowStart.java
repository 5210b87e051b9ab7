package io.sluice.handlers.upstream.endpoint;

import io.netty.util.concurrent.Ticker;
import java.time.Duration;

/** The time in which an endpoint that is new, or up again, gets a growing part of its weight. Any thread. */
public final class SlowStart {
    private static final double MIN_SHARE = 0.1;

    private final long nanos;
    private final Ticker clock;
    private volatile boolean running;
    private volatile long startedAt;

    /**
     * Creates a slow start that has not begun.
     *
     * @param length zero for none
     */
    public SlowStart(Duration length, Ticker clock) {
        nanos = length.toNanos();
        this.clock = clock;
    }

    /** Begins, or begins anew. */
    public void begin() {
        startedAt = clock.nanoTime();
        running = nanos > 0;
    }

    /** Returns the part of the weight that counts, 0.1 to 1. */
    public double share(long now) {
        if (!running) {
            return 1;
        }
        double share = (double) (now - startedAt) / nanos;
        if (share >= 1) {
            running = false;
        }
        return Math.clamp(share, MIN_SHARE, 1);
    }
}
