package io.sluice.gateway.metrics;

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.sluice.gateway.loop.LoopTaskMeter;
import io.sluice.gateway.loop.MeteredLoop;
import java.util.ArrayList;
import java.util.List;

/**
 * Exports the CPU time of the tasks of each event loop: {@code sluice_event_loop_task_seconds}. The loops
 * keep the counts themselves, because a timer in the registry would cost each task several atomic operations.
 */
final class LoopTaskHistogram implements Collector {
    private static final MetricMetadata NAME = new MetricMetadata("sluice_event_loop_task_seconds",
            "CPU time of a task of an event loop: one channel's I/O, or one thing executed");

    private final List<LoopTaskMeter> loops = new ArrayList<>();
    private final long createdMillis = System.currentTimeMillis();

    /** @param group an event loop group whose loops meter their tasks */
    LoopTaskHistogram(EventLoopGroup group) {
        for (EventExecutor loop : group) {
            loops.add(((MeteredLoop) loop).tasks());
        }
    }

    @Override
    public HistogramSnapshot collect() {
        var points = new ArrayList<HistogramDataPointSnapshot>();
        for (int loop = 0; loop < loops.size(); loop++) {
            LoopTaskMeter tasks = loops.get(loop);
            points.add(new HistogramDataPointSnapshot(buckets(tasks), tasks.seconds(),
                    Labels.of("loop", Integer.toString(loop)), Exemplars.EMPTY, createdMillis));
        }
        return new HistogramSnapshot(NAME, points);
    }

    private static ClassicHistogramBuckets buckets(LoopTaskMeter tasks) {
        long[] bounds = LoopTaskMeter.bounds();
        var buckets = ClassicHistogramBuckets.builder();
        for (int i = 0; i < bounds.length; i++) {
            buckets.bucket(bounds[i] / 1e9, tasks.count(i));
        }
        return buckets.bucket(Double.POSITIVE_INFINITY, tasks.count(bounds.length)).build();
    }
}
