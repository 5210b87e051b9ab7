package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.offload.Offload;
import io.sluice.offload.OffloadException.Refused;
import io.sluice.offload.OffloadStats;
import io.sluice.offload.PoolObserver;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** The meters of an offload pool, {@code sluice.offload.*} with the tag {@code pool}. */
public final class PoolMeters implements PoolObserver {
    private static final String PREFIX = "sluice.offload.";

    private final MeterRegistry registry;
    private final String pool;
    private final Timer queueTime;
    private final Timer runTime;
    private final Map<Refused.Reason, Counter> refused = new EnumMap<>(Refused.Reason.class);
    private final Counter cancelledInQueue;
    private final Counter cancelledAtWork;

    PoolMeters(MeterRegistry registry, String pool) {
        this.registry = registry;
        this.pool = pool;
        queueTime = timer("queue.time", "How long tasks waited for a worker");
        runTime = timer("run.time", "How long tasks held a worker");
        for (Refused.Reason reason : Refused.Reason.values()) {
            refused.put(reason, Counter.builder(PREFIX + "refused").description("Refused tasks")
                    .tag("pool", pool).tag("reason", word(reason)).register(registry));
        }
        cancelledInQueue = cancelled("queued");
        cancelledAtWork = cancelled("running");
    }

    private Timer timer(String name, String description) {
        return Timer.builder(PREFIX + name).description(description).tag("pool", pool)
                .serviceLevelObjectives(Meters.FINE_BUCKETS).register(registry);
    }

    private Counter cancelled(String state) {
        return Counter.builder(PREFIX + "cancelled").tag("pool", pool).tag("state", state)
                .description("Tasks that were cancelled or ran out of time").register(registry);
    }

    private static String word(Refused.Reason reason) {
        return reason.name().toLowerCase(Locale.ROOT);
    }

    /** Adds gauges of the pool's state. */
    public void bind(Offload offload) {
        gauge("workers", "Tasks that can run concurrently", offload, OffloadStats::workers);
        gauge("busy", "Tasks that run", offload, OffloadStats::busy);
        gauge("queued", "Tasks that wait for a worker", offload, OffloadStats::queued);
        gauge("capacity", "Tasks a second that are possible at the current mean run time", offload,
                OffloadStats::capacity);
    }

    private void gauge(String name, String description, Offload offload,
                       ToDoubleFunction<OffloadStats> value) {
        Gauge.builder(PREFIX + name, offload, o -> value.applyAsDouble(o.stats()))
                .description(description).tag("pool", pool).register(registry);
    }

    @Override
    @SuppressWarnings("NullAway") // there is a counter for each constant
    public void refused(Refused.Reason reason) {
        refused.get(reason).increment();
    }

    @Override
    public void started(long queuedNanos) {
        queueTime.record(Duration.ofNanos(queuedNanos));
    }

    @Override
    public void finished(long ranNanos) {
        runTime.record(Duration.ofNanos(ranNanos));
    }

    @Override
    public void cancelled(boolean running) {
        (running ? cancelledAtWork : cancelledInQueue).increment();
    }

    /** Returns the number of rejected tasks by reason. */
    public Map<String, Long> refused() {
        var counts = new TreeMap<String, Long>();
        refused.forEach((reason, count) -> counts.put(word(reason), (long) count.count()));
        return counts;
    }

    /**
     * Returns the number of tasks that were cancelled or ran out of time: {@code queued} or {@code running}.
     */
    public Map<String, Long> cancelled() {
        return Map.of("queued", (long) cancelledInQueue.count(), "running", (long) cancelledAtWork.count());
    }

    /** Returns the timer of the tasks' waits for a worker. */
    public Timer queueTime() {
        return queueTime;
    }

    /** Returns the timer of the tasks' runs on a worker. */
    public Timer runTime() {
        return runTime;
    }
}
