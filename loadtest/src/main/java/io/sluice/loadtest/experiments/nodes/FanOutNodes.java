package io.sluice.loadtest.experiments.nodes;

import io.sluice.loadtest.experiments.bench.OpenFiles;
import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.driver.Arrivals;
import io.sluice.loadtest.experiments.driver.LastDeliveries;
import io.sluice.loadtest.experiments.driver.Load;
import io.sluice.loadtest.experiments.driver.Publications;
import io.sluice.loadtest.experiments.driver.WebSockets;
import io.sluice.loadtest.experiments.nodes.FanOutServers.Kind;
import io.sluice.loadtest.experiments.report.Axis;
import io.sluice.loadtest.experiments.report.Figure;
import io.sluice.loadtest.experiments.report.Goal;
import io.sluice.loadtest.experiments.report.MarkdownTable;
import io.sluice.loadtest.experiments.report.Median;
import io.sluice.loadtest.experiments.report.Quantiles;
import io.sluice.loadtest.experiments.report.Section;
import io.sluice.loadtest.experiments.report.Series;
import io.sluice.loadtest.experiments.report.SvgPlot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/** Measures one publisher and many subscribers at two gateways that share a topic, beside one gateway. */
public final class FanOutNodes {

    private static final int SUBSCRIBERS = 5_000;
    private static final double PER_SECOND = 10;
    /** The most requests in flight. */
    private static final int PUBLISHING = 2;
    private static final String SUBSCRIBE = "/ws/topics/news";
    private static final String PUBLISH = "/topics/news";

    private static final String SETTING = """
            `POST /topics/news` of 100 bytes to the first node, steadily 10 times a second, to %,d
            WebSockets: of one node with the topic in its memory, and of two that share it through Redis,
            half of the WebSockets each. Bare Netty has a task for each event loop that writes to its
            WebSockets; two of them share the topic by PUBLISH, with Lettuce. They keep no messages and
            have no positions.""";
    private static final String NOTES = """
            Medians of the rounds, in which the servers alternate, each in a fresh process; max is the
            largest, lost are all messages that a subscriber did not get until five seconds after the last
            was sent. A latency is from the sending of the POST to the arrival at the last of all
            subscribers. CPU is that of each process for each message to one of its own WebSockets, and of
            Redis for each POST. Driver, servers and Redis share the processors; two threads of the driver
            read half of the sockets each.""";

    private final Workbench bench;
    private final int subscribers;
    private final Map<Kind, List<FanOutRound>> rounds = new EnumMap<>(Kind.class);

    private FanOutNodes(Workbench bench, int subscribers) {
        this.bench = bench;
        this.subscribers = subscribers;
    }

    /** Measures all kinds of servers in turn. */
    public static Section run(Workbench bench) throws Exception {
        OpenFiles.need(SUBSCRIBERS);
        return run(bench, SUBSCRIBERS);
    }

    static Section run(Workbench bench, int subscribers) throws Exception {
        var fanOut = new FanOutNodes(bench, subscribers);
        for (int round = 1; round <= bench.timing().rounds(); round++) {
            for (var kind : Kind.values()) {
                fanOut.measure(kind, round);
            }
        }
        return fanOut.section();
    }

    private void measure(Kind kind, int round) throws Exception {
        var publications = new Publications(PUBLISH);
        var deliveries = new LastDeliveries(publications, subscribers);
        try (var servers = FanOutServers.start(bench, kind, SUBSCRIBE);
                var one = WebSockets.to(servers.port(0), SUBSCRIBE, deliveries);
                var other = WebSockets.to(servers.port(1), SUBSCRIBE, deliveries)) {
            one.open(subscribers / 2);
            other.open(subscribers - subscribers / 2);
            try (var publisher = publisher(servers, publications)) {
                publisher.warmUp(bench.timing().warmUp().plus(bench.timing().settle()));
                deliveries.begin();
                var before = servers.processorTimes();
                long posts = publisher.measure(bench.timing().measured().multipliedBy(2)).get().failures();
                var after = servers.processorTimes();
                long lost = deliveries.end();
                var used = new ArrayList<Duration>();
                for (int n = 0; n < after.size(); n++) {
                    used.add(after.get(n).minus(before.get(n)));
                }
                add(kind, round, new FanOutRound(deliveries.latencies(), deliveries.count(),
                        deliveries.count() / subscribers, used, servers.count(), lost, posts));
            }
        }
    }

    private static Load publisher(FanOutServers servers, Publications publications)
            throws TimeoutException, InterruptedException {
        return Load.open(servers.port(0), PUBLISHING, Arrivals.steady(PER_SECOND), publications);
    }

    private void add(Kind kind, int round, FanOutRound result) {
        rounds.computeIfAbsent(kind, _ -> new ArrayList<>()).add(result);
        bench.say("round %d of %d, %s: p50 %s ms, p99 %s ms, %s µs a delivery, %,d lost".formatted(
                round, bench.timing().rounds(), kind, Figure.of(result.latency().p50()),
                Figure.of(result.latency().p99()), Figure.of(result.micros(0)), result.lost()));
    }

    private Section section() {
        var table = new MarkdownTable("servers", "last of all: p50, ms", "p95, ms", "p99, ms", "max, ms",
                "CPU: publishing node, µs/delivery", "other node, µs/delivery", "Redis, µs/POST", "lost",
                "errors");
        rounds.forEach((kind, results) -> {
            var latency = Quantiles.ofRounds(results.stream().map(FanOutRound::latency).toList());
            table.row(kind.toString(), Figure.of(latency.p50()), Figure.of(latency.p95()),
                    Figure.of(latency.p99()), Figure.of(latency.max()),
                    Figure.of(median(kind, round -> round.micros(0))),
                    Figure.of(median(kind, round -> round.micros(1))),
                    Figure.of(median(kind, FanOutRound::redisMicros)),
                    Figure.of(results.stream().mapToLong(FanOutRound::lost).sum()),
                    Figure.of(results.stream().mapToLong(FanOutRound::errors).sum()));
        });
        var lines = rounds.entrySet().stream()
                .map(result -> Series.percentiles(result.getKey().toString(), all(result.getValue())))
                .toList();
        var plot = SvgPlot.of("10 messages a second to %,d WebSockets".formatted(subscribers),
                List.of(new SvgPlot.Panel(Axis.percentiles(),
                        Axis.linear("from POST to the last arrival, ms", Series.largestOf(lines)), lines)));
        return new Section("Fan-out over nodes", SETTING.formatted(subscribers), table, NOTES, goals(),
                rounds.values().stream().flatMap(List::stream)
                        .mapToLong(round -> round.lost() + round.errors()).sum(), plot);
    }

    private List<Goal> goals() {
        double best = Math.min(p99(Kind.BARE), Math.min(p99(Kind.BARES), p99(Kind.GATEWAY)));
        return List.of(
                Goal.atMost(1.2, "p99, two nodes of ours / the best of the others",
                        p99(Kind.GATEWAYS) / best),
                Goal.atMost(1, "CPU of a delivery, one node of ours / bare Netty",
                        median(Kind.GATEWAY, round -> round.micros(0))
                                / median(Kind.BARE, round -> round.micros(0))));
    }

    private double p99(Kind kind) {
        return median(kind, round -> round.latency().p99());
    }

    private double median(Kind kind, ToDoubleFunction<FanOutRound> figure) {
        return Median.of(rounds.getOrDefault(kind, List.of()), figure);
    }

    private static Histogram all(List<FanOutRound> results) {
        var all = results.getFirst().latencies().copy();
        results.stream().skip(1).forEach(round -> all.add(round.latencies()));
        return all;
    }
}
