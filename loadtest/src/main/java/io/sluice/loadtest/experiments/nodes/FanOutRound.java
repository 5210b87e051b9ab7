package io.sluice.loadtest.experiments.nodes;

import io.sluice.loadtest.experiments.report.Quantiles;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * One measured phase of one kind of servers.
 *
 * @param latencies from sending to the arrival at the last subscriber, in ns
 * @param deliveries messages that arrived
 * @param published messages that were sent
 * @param used CPU time of each node, and then of Redis, if there is one
 * @param nodes the number of nodes, each with as many WebSockets
 * @param lost messages that did not arrive
 * @param errors requests that were not answered with 200
 */
record FanOutRound(Histogram latencies, long deliveries, long published, List<Duration> used, int nodes,
        long lost, long errors) {

    Quantiles latency() {
        return Quantiles.of(latencies);
    }

    /** CPU time of a node for each message to one of its WebSockets, in µs; NaN if there is no such node. */
    double micros(int node) {
        return node < nodes ? used.get(node).toNanos() / 1e3 / deliveries * nodes : Double.NaN;
    }

    /** CPU time of Redis for each publication, in µs; NaN if there is none. */
    double redisMicros() {
        return used.size() > nodes ? used.get(nodes).toNanos() / 1e3 / published : Double.NaN;
    }
}
