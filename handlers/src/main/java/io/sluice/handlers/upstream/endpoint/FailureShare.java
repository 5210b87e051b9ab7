package io.sluice.handlers.upstream.endpoint;

import java.util.concurrent.TimeUnit;

/**
 * The share of failures among the last responses, of which each one counts for a quarter. Without further
 * ones it halves every 5 s, so that the endpoint is tried again. Any thread; of two concurrent responses, one
 * may be lost.
 */
public final class FailureShare {
    private static final double HALF_LIFE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final double PART = 0.25;
    /** Responses of an endpoint that only fails are this share at most: others may have far more load. */
    private static final double MAX = 0.99;

    private volatile double share;
    private volatile long at;

    /** Adds a response. */
    public void add(boolean failed, long now) {
        if (failed || share != 0) {
            double before = share(now);
            share = Math.min(before + PART * ((failed ? 1 : 0) - before), MAX);
            at = now;
        }
    }

    /** Returns the share, from 0 to 0.99. */
    public double share(long now) {
        double known = share;
        return known == 0 ? 0 : known * Math.pow(0.5, Math.max(0, now - at) / HALF_LIFE_NANOS);
    }
}
