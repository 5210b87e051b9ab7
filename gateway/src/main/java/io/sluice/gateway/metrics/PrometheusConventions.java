package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;

/** Brings the ready-made meters that {@code promtool check metrics} objects to into Prometheus' ways. */
final class PrometheusConventions implements MeterFilter {

    /** In nanoseconds; {@link Meters} has its own in seconds. */
    @Override
    public MeterFilterReply accept(Meter.Id id) {
        return id.getName().equals("process.cpu.time") ? MeterFilterReply.DENY : MeterFilterReply.NEUTRAL;
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
