package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Quantiles;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;

/**
 * Timers with a separate registry for each thread, which are merged when they are scraped. The contention for
 * the memory of a shared timer would cost some ten times what the metering does.
 */
final class ShardedTimers implements MultiCollector, AutoCloseable {
    private final Clock clock;
    private final List<PrometheusMeterRegistry> shards = new CopyOnWriteArrayList<>();

    ShardedTimers(Clock clock) {
        this.clock = clock;
    }

    /**
     * Creates a registry for the timers of one thread. Timers of the same name must have the same buckets in
     * all of them.
     */
    MeterRegistry shard() {
        var shard = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new PrometheusRegistry(), clock);
        shards.add(shard);
        return shard;
    }

    @Override
    public MetricSnapshots collect() {
        var families = new LinkedHashMap<String, MetricSnapshot>();
        shards.stream().flatMap(shard -> shard.getPrometheusRegistry().scrape().stream()).forEach(
                family -> families.merge(family.getMetadata().getName(), family, ShardedTimers::merged));
        return new MetricSnapshots(families.values());
    }

    /**
     * Merges the two families that Micrometer exports for a timer: a histogram, or a summary without buckets,
     * and a gauge of the maximum.
     */
    private static MetricSnapshot merged(MetricSnapshot one, MetricSnapshot other) {
        return switch (one) {
            case HistogramSnapshot times -> new HistogramSnapshot(times.getMetadata(), byLabels(
                    times.getDataPoints(), ((HistogramSnapshot) other).getDataPoints(), ShardedTimers::sum));
            case SummarySnapshot times -> new SummarySnapshot(times.getMetadata(), byLabels(
                    times.getDataPoints(), ((SummarySnapshot) other).getDataPoints(), ShardedTimers::sum));
            case GaugeSnapshot longest -> new GaugeSnapshot(longest.getMetadata(), byLabels(
                    longest.getDataPoints(), ((GaugeSnapshot) other).getDataPoints(),
                    BinaryOperator.maxBy(Comparator.comparingDouble(GaugeDataPointSnapshot::getValue))));
            default -> throw new IllegalStateException("not of a timer: " + one.getMetadata().getName());
        };
    }

    private static <T extends DataPointSnapshot> Collection<T> byLabels(List<T> some, List<T> more,
                                                                        BinaryOperator<T> merge) {
        var points = new LinkedHashMap<Labels, T>();
        Stream.concat(some.stream(), more.stream())
                .forEach(point -> points.merge(point.getLabels(), point, merge));
        return points.values();
    }

    private static HistogramDataPointSnapshot sum(HistogramDataPointSnapshot one,
                                                  HistogramDataPointSnapshot other) {
        ClassicHistogramBuckets some = one.getClassicBuckets();
        ClassicHistogramBuckets more = other.getClassicBuckets();
        var buckets = ClassicHistogramBuckets.builder();
        for (int i = 0; i < some.size(); i++) {
            buckets.bucket(some.getUpperBound(i), some.getCount(i) + more.getCount(i));
        }
        return new HistogramDataPointSnapshot(buckets.build(), one.getSum() + other.getSum(),
                one.getLabels(), Exemplars.EMPTY,
                Math.min(one.getCreatedTimestampMillis(), other.getCreatedTimestampMillis()));
    }

    private static SummaryDataPointSnapshot sum(SummaryDataPointSnapshot one,
                                                SummaryDataPointSnapshot other) {
        return new SummaryDataPointSnapshot(one.getCount() + other.getCount(), one.getSum() + other.getSum(),
                Quantiles.EMPTY, one.getLabels(), Exemplars.EMPTY,
                Math.min(one.getCreatedTimestampMillis(), other.getCreatedTimestampMillis()));
    }

    @Override
    public void close() {
        shards.forEach(MeterRegistry::close);
    }
}
