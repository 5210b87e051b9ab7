package io.sluice.loadtest.simulations;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/** The resources that a server's Prometheus metrics report. */
enum ServerGauge {
    RESIDENT_MEMORY("process_resident_memory_bytes", true),
    HEAP_IN_USE("jvm_memory_used_bytes{area=\"heap\"", true),
    THREADS("jvm_threads_live_threads", false),
    OPEN_DESCRIPTORS("process_files_open_files", false);

    private static final double MIB = 1024 * 1024;

    private final String metric;
    private final boolean bytes;

    ServerGauge(String metric, boolean bytes) {
        this.metric = metric;
        this.bytes = bytes;
    }

    /** The sum of all lines with this gauge's prefix; empty if there is none, or one has no number. */
    OptionalDouble in(String metrics) {
        var values = metrics.lines().filter(line -> line.startsWith(metric))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .filter(Double::isFinite)
                .toArray();
        return values.length == 0 ? OptionalDouble.empty()
                : OptionalDouble.of(DoubleStream.of(values).sum());
    }

    String text(double value) {
        return bytes ? String.format(Locale.ROOT, "%,.1f MiB", value / MIB)
                : String.format(Locale.ROOT, "%,.0f", value);
    }

    String change(double perHour) {
        return bytes ? String.format(Locale.ROOT, "%+,.1f MiB", perHour / MIB)
                : String.format(Locale.ROOT, "%+,.1f", perHour);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
