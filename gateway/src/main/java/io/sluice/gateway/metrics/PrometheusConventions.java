package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;

/** Adapts ready-made meters to the conventions that {@code promtool check metrics} enforces. */
final class PrometheusConventions implements MeterFilter {

    /** CPU time in nanoseconds; {@link Meters} has it in seconds. */
    private static final String CPU_TIME = "process.cpu.time";
    /**
     * Netty counts every virtual thread that ever allocated a buffer, which looks like a leak but is none.
     */
    private static final String CACHES = "netty.allocator.threadlocal.caches";

    @Override
    public MeterFilterReply accept(Meter.Id id) {
        return id.getName().equals(CPU_TIME) || id.getName().equals(CACHES)
                ? MeterFilterReply.DENY : MeterFilterReply.NEUTRAL;
    }

    /** Renames a gauge that ends in "count", and adds a description if there is none. */
    @Override
    public Meter.Id map(Meter.Id id) {
        if (id.getName().equals("system.cpu.count")) {
            return id.withName("system.cpus");
        }
        return id.getDescription() != null ? id : new Meter.Id(id.getName(), Tags.of(id.getTagsAsIterable()),
                id.getBaseUnit(), id.getName().replace('.', ' '), id.getType());
    }
}
