package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;

/** Brings the ready-made meters that {@code promtool check metrics} objects to into Prometheus' ways. */
final class PrometheusConventions implements MeterFilter {

    /** Processor time in nanoseconds, for {@link Meters} has it in seconds. */
    private static final String CPU_TIME = "process.cpu.time";
    /** Of virtual threads Netty counts each that ever allocated: it looks like a leak and is none. */
    private static final String CACHES = "netty.allocator.threadlocal.caches";

    @Override
    public MeterFilterReply accept(Meter.Id id) {
        return id.getName().equals(CPU_TIME) || id.getName().equals(CACHES)
                ? MeterFilterReply.DENY : MeterFilterReply.NEUTRAL;
    }

    /** A gauge must not end in "count", and nothing may be without a description. */
    @Override
    public Meter.Id map(Meter.Id id) {
        if (id.getName().equals("system.cpu.count")) {
            return id.withName("system.cpus");
        }
        return id.getDescription() != null ? id : new Meter.Id(id.getName(), Tags.of(id.getTagsAsIterable()),
                id.getBaseUnit(), id.getName().replace('.', ' '), id.getType());
    }
}
