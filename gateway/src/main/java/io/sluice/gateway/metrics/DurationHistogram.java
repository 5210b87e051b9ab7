package io.sluice.gateway.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts durations in buckets from 1 ms to 10 s. For what happens with each proxied request: a timer of the
 * registry, with its moving maximum, costs many times as much. Any thread.
 */
final class DurationHistogram {
    private static final long[] BOUNDS =
            Arrays.stream(Meters.FINE_BUCKETS).mapToLong(Duration::toNanos).toArray();

    private final long createdMillis = System.currentTimeMillis();
    /** The last one has no bound. */
    private final LongAdder[] counts = new LongAdder[BOUNDS.length + 1];
    private final LongAdder nanos = new LongAdder();

    DurationHistogram() {
        Arrays.setAll(counts, _ -> new LongAdder());
    }

    void add(long duration) {
        int bucket = 0;
        while (bucket < BOUNDS.length && duration > BOUNDS[bucket]) {
            bucket++;
        }
        counts[bucket].increment();
        nanos.add(duration);
    }

    HistogramDataPointSnapshot snapshot(Labels labels) {
        var buckets = ClassicHistogramBuckets.builder();
        for (int i = 0; i < counts.length; i++) {
            buckets.bucket(i < BOUNDS.length ? BOUNDS[i] / 1e9 : Double.POSITIVE_INFINITY, counts[i].sum());
        }
        return new HistogramDataPointSnapshot(buckets.build(), nanos.sum() / 1e9, labels, Exemplars.EMPTY,
                createdMillis);
    }
}
