package io.sluice.gateway.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.LinkedHashMap;
import java.util.Map;

/** Collects samples of one scrape by the name of their metric. Not thread-safe. */
final class MetricFamilies {
    private final Map<String, CounterSnapshot.Builder> counters = new LinkedHashMap<>();
    private final Map<String, GaugeSnapshot.Builder> gauges = new LinkedHashMap<>();
    private final Map<String, HistogramSnapshot.Builder> histograms = new LinkedHashMap<>();

    void gauge(String name, String help, Labels labels, double value) {
        gauges.computeIfAbsent(name, _ -> GaugeSnapshot.builder().name(name).help(help))
                .dataPoint(GaugeDataPointSnapshot.builder().labels(labels).value(value).build());
    }

    /** Adds a counter; {@code _total} is added to its name. */
    void counter(String name, String help, Labels labels, double value) {
        counters.computeIfAbsent(name, _ -> CounterSnapshot.builder().name(name).help(help))
                .dataPoint(CounterDataPointSnapshot.builder().labels(labels).value(value).build());
    }

    /** Adds a counter for each value of a label. */
    void counters(String name, String help, Labels labels, String label, Map<String, Long> values) {
        values.forEach((key, value) -> counter(name, help, labels.add(label, key), value));
    }

    void histogram(String name, String help, Labels labels, DurationHistogram times) {
        histograms.computeIfAbsent(name, _ -> HistogramSnapshot.builder().name(name).help(help))
                .dataPoint(times.snapshot(labels));
    }

    MetricSnapshots snapshots() {
        var all = MetricSnapshots.builder();
        gauges.values().forEach(family -> all.metricSnapshot(family.build()));
        counters.values().forEach(family -> all.metricSnapshot(family.build()));
        histograms.values().forEach(family -> all.metricSnapshot(family.build()));
        return all.build();
    }
}
