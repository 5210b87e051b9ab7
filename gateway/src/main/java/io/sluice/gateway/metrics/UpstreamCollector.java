package io.sluice.gateway.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.sluice.gateway.metrics.UpstreamMeters.EndpointTimes;
import io.sluice.handlers.upstream.EndpointStats;
import io.sluice.handlers.upstream.EndpointStats.State;
import io.sluice.handlers.upstream.RequestStage;
import io.sluice.handlers.upstream.Upstream;
import io.sluice.offload.OffloadStats;
import java.util.Collection;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Exports the upstreams of the current site as they are at a scrape: {@code sluice_upstream_*}, with the tags
 * {@code upstream} and {@code endpoint}. Of two endpoints with one address, the one that drains is left out.
 */
final class UpstreamCollector implements MultiCollector {
    private static final String PREFIX = "sluice_upstream_";

    private final Supplier<Collection<MeteredUpstream>> upstreams;

    UpstreamCollector(Supplier<Collection<MeteredUpstream>> upstreams) {
        this.upstreams = upstreams;
    }

    @Override
    public MetricSnapshots collect() {
        var families = new MetricFamilies();
        for (MeteredUpstream metered : upstreams.get()) {
            Upstream upstream = metered.upstream();
            Labels labels = Labels.of("upstream", upstream.name());
            queue(upstream, labels, metered.meters(), families);
            cancelled(upstream, labels, families);
            Map<String, EndpointStats> endpoints = upstream.endpoints().stream()
                    .collect(Collectors.toMap(EndpointStats::id, Function.identity(), (_, later) -> later));
            endpoints.forEach((id, stats) ->
                    endpoint(labels, stats, metered.meters().times(id), families));
        }
        return families.snapshots();
    }

    private static void queue(Upstream upstream, Labels labels, UpstreamMeters meters, MetricFamilies to) {
        OffloadStats stats = upstream.permits().stats();
        to.gauge(PREFIX + "concurrency", "Requests that can run concurrently", labels, stats.workers());
        to.gauge(PREFIX + "busy", "Requests that run", labels, stats.busy());
        to.gauge(PREFIX + "queued", "Requests that wait", labels, stats.queued());
        to.gauge(PREFIX + "capacity", "Requests a second that are possible at the current mean run time",
                labels, stats.capacity());
        to.counters(PREFIX + "refused", "Refused requests", labels, "reason", meters.refused());
        to.counters(PREFIX + "retries", "Requests that were sent again", labels, "reason", meters.retried());
        to.counter(PREFIX + "retries_over_budget", "Requests that were not sent again for want of budget",
                labels, upstream.retries().refused());
        to.histogram(PREFIX + "queue_time_seconds", "Wait of requests for their turn", labels,
                meters.queueTime());
        to.histogram(PREFIX + "run_time_seconds", "Time of requests behind the queue, to the response's end",
                labels, meters.runTime());
    }

    private static void cancelled(Upstream upstream, Labels labels, MetricFamilies to) {
        for (RequestStage stage : RequestStage.values()) {
            to.counter(PREFIX + "cancelled", "Requests that were given up by their client or their deadline",
                    labels.add("stage", stage.toString()), upstream.cancelledWhile(stage));
        }
    }

    private static void endpoint(Labels of, EndpointStats stats, EndpointTimes times, MetricFamilies to) {
        Labels labels = of.add("endpoint", stats.id());
        for (State state : State.values()) {
            to.gauge(PREFIX + "endpoint_state", "1 for the state of an endpoint",
                    labels.add("state", state.toString()), state == stats.state() ? 1 : 0);
        }
        to.gauge(PREFIX + "endpoint_requests", "Requests that an endpoint serves", labels, stats.inFlight());
        connections(labels, "connecting", stats.connecting(), to);
        connections(labels, "idle", stats.idle(), to);
        connections(labels, "active", stats.active(), to);
        stats.failures().forEach((stage, count) ->
                to.counter(PREFIX + "failures", "Requests that an endpoint failed to answer",
                        labels.add("stage", stage.toString()), count));
        to.counter(PREFIX + "unexpected_data", "Connections closed for data that belongs to no request",
                labels, stats.unexpectedBytes());
        to.histogram(PREFIX + "connect_seconds", "Time for opening a connection", labels, times.connect());
        to.histogram(PREFIX + "first_byte_seconds", "From a request to the beginning of its response", labels,
                times.firstByte());
    }

    private static void connections(Labels labels, String state, int count, MetricFamilies to) {
        to.gauge(PREFIX + "connections", "Connections to endpoints", labels.add("state", state), count);
    }
}
