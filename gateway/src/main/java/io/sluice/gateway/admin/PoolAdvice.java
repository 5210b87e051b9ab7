package io.sluice.gateway.admin;

import io.sluice.offload.OffloadStats;
import java.util.Locale;

/**
 * States in one sentence a pool's capacity, its utilization, and the number of workers that would suffice.
 */
final class PoolAdvice {
    private static final double FULL = 0.9;
    /** The recommended ratio of capacity to arrivals. With less, short bursts wait long. */
    private static final double HEADROOM = 4.0 / 3;

    private PoolAdvice() {
    }

    static String of(OffloadStats stats) {
        if (stats.meanRunTime().isZero()) {
            return stats.workers() + " workers; nothing has run yet, so nobody knows what they can do";
        }
        double millis = stats.meanRunTime().toNanos() / 1e6;
        double inUse = stats.meanBusy() / stats.workers();
        return String.format(Locale.ROOT, "%d workers x %s ms = %s/s; %.0f %% in use; %s%s", stats.workers(),
                digits(millis), digits(stats.capacity()), 100 * inUse, verdict(stats, inUse), reserve(stats));
    }

    /**
     * Explains idle workers beside queued tasks: a client with more than its share of tasks waits for its
     * own.
     */
    private static String reserve(OffloadStats stats) {
        int idle = stats.workers() - stats.busy();
        return stats.queued() == 0 || idle == 0 ? "" : String.format(Locale.ROOT,
                "; %d kept idle for other clients, as %d tasks beyond client-share wait",
                idle, stats.queued());
    }

    private static String verdict(OffloadStats stats, double inUse) {
        double load = stats.arrivals() / stats.capacity();
        double needed = Math.ceil(stats.arrivals() * HEADROOM * stats.meanRunTime().toNanos() / 1e9);
        String enough = "%.0f workers would do, where what they use bears it"
                .formatted(Math.max(needed, stats.workers() + 1));
        if (load > 1.05) {
            return digits(load) + " x as much arrives as fits: " + enough;
        }
        if (inUse <= FULL) {
            return "what arrives fits";
        }
        return load < inUse / 2 ? "what runs now takes much longer than that" : "as good as full: " + enough;
    }

    /** Formats a value with three significant digits. */
    private static String digits(double value) {
        return String.format(Locale.ROOT, value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f", value);
    }
}
