package io.sluice.gateway.admin;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import io.sluice.gateway.metrics.PoolMeters;
import io.sluice.offload.OffloadStats;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Reports the statistics of each offload pool, for operators who decide on its size. */
final class PoolReport {
    private final Map<String, MeteredPool> pools;

    /**
     * Reports on these pools.
     *
     * @param pools by name
     */
    PoolReport(Map<String, MeteredPool> pools) {
        this.pools = pools;
    }

    /** Returns the present statistics as the members of a JSON object. */
    Map<String, Object> now() {
        List<Object> all = new ArrayList<>();
        pools.forEach((name, pool) -> all.add(report(name, pool.offload().stats(), pool.meters())));
        return Map.of("pools", all);
    }

    private static Map<String, Object> report(String name, OffloadStats stats, PoolMeters meters) {
        var report = new LinkedHashMap<String, Object>();
        report.put("name", name);
        report.put("advice", PoolAdvice.of(stats));
        report.put("workers", stats.workers());
        report.put("busy", stats.busy());
        report.put("queued", stats.queued());
        report.put("capacityPerSecond", rounded(stats.capacity()));
        report.put("arrivalsPerSecond", rounded(stats.arrivals()));
        report.put("inUse", rounded(stats.meanBusy() / stats.workers()));
        report.put("meanRunTimeMs", rounded(stats.meanRunTime().toNanos() / 1e6));
        report.put("refused", meters.refused());
        report.put("cancelled", meters.cancelled());
        report.put("queueTime", times(meters.queueTime()));
        report.put("runTime", times(meters.runTime()));
        return report;
    }

    private static Map<String, Object> times(Timer timer) {
        HistogramSnapshot snapshot = timer.takeSnapshot();
        var buckets = new LinkedHashMap<String, Object>();
        for (CountAtBucket bucket : snapshot.histogramCounts()) {
            buckets.put(String.valueOf((long) bucket.bucket(TimeUnit.MILLISECONDS)), (long) bucket.count());
        }
        var times = new LinkedHashMap<String, Object>();
        times.put("count", snapshot.count());
        times.put("meanMs", rounded(snapshot.mean(TimeUnit.MILLISECONDS)));
        times.put("maxMs", rounded(snapshot.max(TimeUnit.MILLISECONDS)));
        times.put("countUpToMs", buckets);
        return times;
    }

    static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
