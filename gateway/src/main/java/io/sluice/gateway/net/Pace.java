package io.sluice.gateway.net;

import io.sluice.config.TimeoutsConfig;

/**
 * Checks the rate at which a client transfers bytes that wait for it: the configured minimum, averaged over
 * the stall timeout.
 */
public final class Pace {
    private final TimeoutsConfig timeouts;
    private boolean waiting;
    private long since;
    private long movedBefore;

    public Pace(TimeoutsConfig timeouts) {
        this.timeouts = timeouts;
    }

    /**
     * Checks the rate; to be called regularly.
     *
     * @param waits whether there are bytes for the client to transfer
     * @param moved how many bytes it has transferred so far
     * @param now in nanoseconds
     */
    public boolean isTooSlow(boolean waits, long moved, long now) {
        if (!waits) {
            waiting = false;
            return false;
        }
        boolean due = waiting && now - since >= timeouts.stall().toNanos();
        if (!waiting || due && moved - movedBefore >= enough(timeouts)) {
            waiting = true;
            since = now;
            movedBefore = moved;
            return false;
        }
        return due;
    }

    /** The bytes that a client must transfer within {@link TimeoutsConfig#stall}. */
    static long enough(TimeoutsConfig timeouts) {
        return Math.max(1, timeouts.minRate().bytes() * timeouts.stall().toMillis() / 1_000);
    }
}
