package io.sluice.gateway.net;

import io.sluice.config.TimeoutsConfig;
import java.util.concurrent.TimeUnit;

/**
 * Checks the rate at which a client transfers bytes that wait for it: the configured minimum, averaged over
 * the stall timeout.
 */
public final class MinimumRate {
    /** Bytes that a WebSocket may transfer at once: TLS records, DATA frames, updates of a window. */
    private static final int STEP = 64 * 1024;

    private final TimeoutsConfig timeouts;
    private final long nanos;
    private boolean waiting;
    private long since;
    private long movedBefore;

    public MinimumRate(TimeoutsConfig timeouts) {
        this(timeouts, timeouts.stall().toNanos());
    }

    private MinimumRate(TimeoutsConfig timeouts, long nanos) {
        this.timeouts = timeouts;
        this.nanos = nanos;
    }

    /**
     * Returns the rate of a WebSocket, which may transfer for hours. It allows further time for 64 KiB at the
     * minimum rate, so that a client that transfers so much at once is never too slow.
     */
    public static MinimumRate ofSocket(TimeoutsConfig timeouts) {
        long step = TimeUnit.SECONDS.toNanos(STEP) / Math.max(1, timeouts.minRate().bytes());
        return new MinimumRate(timeouts, timeouts.stall().toNanos() + step);
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
        boolean due = waiting && now - since >= nanos;
        if (!waiting || due && moved - movedBefore >= enough(timeouts)) {
            waiting = true;
            since = now;
            movedBefore = moved;
            return false;
        }
        return due;
    }

    /** Returns how many bytes a client must transfer within {@link TimeoutsConfig#stall}. */
    static long enough(TimeoutsConfig timeouts) {
        return Math.max(1, timeouts.minRate().bytes() * timeouts.stall().toMillis() / 1_000);
    }
}
