package io.sluice.gateway.admin;

import io.sluice.gateway.metrics.MeteredUpstream;
import io.sluice.gateway.metrics.UpstreamMeters;
import io.sluice.handlers.upstream.EndpointStats;
import io.sluice.handlers.upstream.RequestStage;
import io.sluice.handlers.upstream.Upstream;
import io.sluice.offload.OffloadStats;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reports the statistics of each upstream and its endpoints. */
final class UpstreamReport {
    private final Map<String, MeteredUpstream> upstreams;

    /**
     * Reports on these upstreams.
     *
     * @param upstreams by name
     */
    UpstreamReport(Map<String, MeteredUpstream> upstreams) {
        this.upstreams = upstreams;
    }

    /** Returns the present statistics as the members of a JSON object. */
    Map<String, Object> now() {
        List<Object> all = new ArrayList<>();
        upstreams.values().forEach(metered -> all.add(report(metered.upstream(), metered.meters())));
        return Map.of("upstreams", all);
    }

    private static Map<String, Object> report(Upstream upstream, UpstreamMeters meters) {
        OffloadStats stats = upstream.permits().stats();
        List<EndpointStats> endpoints = upstream.endpoints();
        var report = new LinkedHashMap<String, Object>();
        report.put("name", upstream.name());
        report.put("advice", PoolAdvice.of(stats, endpoints));
        report.put("concurrency", stats.workers());
        report.put("busy", stats.busy());
        report.put("queued", stats.queued());
        report.put("capacityPerSecond", PoolReport.rounded(stats.capacity()));
        report.put("arrivalsPerSecond", PoolReport.rounded(stats.arrivals()));
        report.put("inUse", PoolReport.rounded(stats.meanBusy() / stats.workers()));
        report.put("meanTimeMs", PoolReport.rounded(stats.meanRunTime().toNanos() / 1e6));
        report.put("refused", meters.refused());
        report.put("cancelled", cancelled(upstream));
        report.put("retries", meters.retried());
        report.put("retriesOverBudget", upstream.retries().refused());
        report.put("endpoints", endpoints.stream().map(UpstreamReport::endpoint).toList());
        return report;
    }

    private static Map<String, Long> cancelled(Upstream upstream) {
        var counts = new TreeMap<String, Long>();
        for (RequestStage stage : RequestStage.values()) {
            counts.put(stage.toString(), upstream.cancelledWhile(stage));
        }
        return counts;
    }

    private static Map<String, Object> endpoint(EndpointStats stats) {
        var report = new LinkedHashMap<String, Object>();
        report.put("endpoint", stats.id());
        report.put("address", stats.address());
        report.put("state", stats.state().toString());
        report.put("inFlight", stats.inFlight());
        report.put("connections", connections(stats));
        report.put("firstByteMs", PoolReport.rounded(stats.firstByte().toNanos() / 1e6));
        report.put("weight", stats.weight());
        report.put("share", PoolReport.rounded(stats.share()));
        var failures = new TreeMap<String, Long>();
        stats.failures().forEach((stage, count) -> failures.put(stage.toString(), count));
        report.put("failures", failures);
        report.put("unexpectedData", stats.unexpectedBytes());
        return report;
    }

    private static Map<String, Integer> connections(EndpointStats stats) {
        var counts = new LinkedHashMap<String, Integer>();
        counts.put("connecting", stats.connecting());
        counts.put("active", stats.active());
        counts.put("idle", stats.idle());
        return counts;
    }
}
