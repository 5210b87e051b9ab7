package io.sluice.gateway.net;

import io.sluice.config.TimeoutsConfig;

/** The rate at which a client moves bytes that wait for it: at least the minimum, on average over a stall. */
public final class Pace {
    private final TimeoutsConfig timeouts;
    private boolean waiting;
    private long since;
    private long movedBefore;

    public Pace(TimeoutsConfig timeouts) {
        this.timeouts = timeouts;
    }

    /**
     * Looks at it, every now and then.
     *
     * @param waits whether there are bytes for the client to move
     * @param moved how many it has moved up to now
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

    /** Bytes that a client has to move in {@link TimeoutsConfig#stall}. */
    static long enough(TimeoutsConfig timeouts) {
        return Math.max(1, timeouts.minRate().bytes() * timeouts.stall().toMillis() / 1_000);
    }
}
