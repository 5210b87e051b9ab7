package io.sluice.gateway.http2;

import java.time.Duration;

/** How often something may happen: so many times at once, and as many again within each interval. */
final class Allowance {
    private final int most;
    private final double perNano;
    private double left;
    private long last = System.nanoTime();

    Allowance(int most, Duration interval) {
        this.most = most;
        perNano = (double) most / interval.toNanos();
        left = most;
    }

    /** Takes one; false where none is left. */
    boolean take() {
        return take(System.nanoTime());
    }

    boolean take(long now) {
        left = Math.min(most, left + (now - last) * perNano);
        last = now;
        if (left < 1) {
            return false;
        }
        left--;
        return true;
    }
}
