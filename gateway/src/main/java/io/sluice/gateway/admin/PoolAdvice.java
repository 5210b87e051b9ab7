package io.sluice.gateway.admin;

import io.sluice.handlers.upstream.EndpointStats;
import io.sluice.handlers.upstream.EndpointStats.State;
import io.sluice.offload.OffloadStats;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** States in one sentence how a pool or an upstream is: its state, the cause, and the remedy. */
final class PoolAdvice {
    private static final double FULL = 0.9;
    /** The recommended ratio of capacity to arrivals. With less, short bursts wait long. */
    private static final double HEADROOM = 4.0 / 3;

    private final OffloadStats stats;
    private final String workers;
    private final String remedy;

    private PoolAdvice(OffloadStats stats, String workers, String remedy) {
        this.stats = stats;
        this.workers = workers;
        this.remedy = remedy;
    }

    /** Returns the advice on a pool of workers. */
    static String of(OffloadStats stats) {
        return new PoolAdvice(stats, "workers", "%.0f workers would suffice if their backend allows as many")
                .sentence();
    }

    /** Returns the advice on an upstream. */
    static String of(OffloadStats stats, List<EndpointStats> endpoints) {
        List<EndpointStats> down = endpoints.stream().filter(endpoint ->
                endpoint.state() == State.DOWN || endpoint.state() == State.PROBING).toList();
        String ids = down.stream().map(EndpointStats::id).collect(Collectors.joining(", "));
        String advice = new PoolAdvice(stats, "concurrent requests",
                "concurrency = %.0f would suffice if the endpoints allow it").sentence();
        if (endpoints.isEmpty()) {
            return "down: its name has no address; check the name and the DNS servers";
        }
        if (down.size() == endpoints.size()) {
            return "down: no endpoint is up; check that it runs and can be reached: " + ids;
        }
        return down.isEmpty() ? advice
                : "degraded: %d of %d endpoints are down; check that they run and can be reached: %s; %s"
                .formatted(down.size(), endpoints.size(), ids, advice);
    }

    private String sentence() {
        if (stats.meanRunTime().isZero()) {
            return "idle: nothing has run yet, so the capacity of %d %s is unknown"
                    .formatted(stats.workers(), workers);
        }
        return verdict(stats.meanBusy() / stats.workers()) + reserve();
    }

    private String verdict(double inUse) {
        double load = stats.arrivals() / stats.capacity();
        double needed = Math.ceil(stats.arrivals() * HEADROOM * stats.meanRunTime().toNanos() / 1e9);
        String enough = remedy.formatted(Math.max(needed, stats.workers() + 1));
        String capacity = String.format(Locale.ROOT, "%d %s x %s ms = %s/s, %.0f %% in use", stats.workers(),
                workers, digits(stats.meanRunTime().toNanos() / 1e6), digits(stats.capacity()), 100 * inUse);
        if (load > 1.05) {
            return "saturated: demand is %sx capacity (%s); %s".formatted(digits(load), capacity, enough);
        }
        if (inUse <= FULL) {
            return "ok: " + capacity;
        }
        return load < inUse / 2
                ? "slow: what runs now takes much longer than the mean (%s)".formatted(capacity)
                : "nearly saturated: %s; %s".formatted(capacity, enough);
    }

    /**
     * Explains idle workers beside queued tasks: a client with more than its share of tasks waits for its
     * own.
     */
    private String reserve() {
        int idle = stats.workers() - stats.busy();
        return stats.queued() == 0 || idle == 0 ? "" : String.format(Locale.ROOT,
                "; %d kept idle for other clients, as %d tasks beyond client-share wait",
                idle, stats.queued());
    }

    /** Formats a value with three significant digits. */
    private static String digits(double value) {
        return String.format(Locale.ROOT, value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f", value);
    }
}
