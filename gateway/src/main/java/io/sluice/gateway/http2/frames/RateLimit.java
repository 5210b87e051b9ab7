package io.sluice.gateway.http2.frames;

import io.netty.util.concurrent.Ticker;
import java.time.Duration;

/** A rate limit: so many events at once, and as many again within each interval. */
final class RateLimit {
    private final Ticker clock;
    private final int most;
    private final double perNano;
    private double left;
    private long last;

    RateLimit(int most, Duration interval, Ticker clock) {
        this.clock = clock;
        this.most = most;
        perNano = (double) most / interval.toNanos();
        left = most;
        last = clock.nanoTime();
    }

    /** Counts one event; returns false, and counts none, if it exceeds the limit. */
    boolean take() {
        long now = clock.nanoTime();
        left = Math.min(most, left + (now - last) * perNano);
        last = now;
        if (left < 1) {
            return false;
        }
        left--;
        return true;
    }
}
