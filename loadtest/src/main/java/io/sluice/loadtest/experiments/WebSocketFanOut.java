package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.bench.OpenFiles;
import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.driver.AnswerClass;
import io.sluice.loadtest.experiments.driver.Answers;
import io.sluice.loadtest.experiments.driver.Arrivals;
import io.sluice.loadtest.experiments.driver.Deliveries;
import io.sluice.loadtest.experiments.driver.Load;
import io.sluice.loadtest.experiments.driver.Publications;
import io.sluice.loadtest.experiments.driver.WebSockets;
import io.sluice.loadtest.experiments.report.Axis;
import io.sluice.loadtest.experiments.report.Figure;
import io.sluice.loadtest.experiments.report.Goal;
import io.sluice.loadtest.experiments.report.MarkdownTable;
import io.sluice.loadtest.experiments.report.Median;
import io.sluice.loadtest.experiments.report.Quantiles;
import io.sluice.loadtest.experiments.report.Section;
import io.sluice.loadtest.experiments.report.Series;
import io.sluice.loadtest.experiments.report.SvgPlot;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.server.Variant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;

/** Measures one publisher and many subscribers. */
final class WebSocketFanOut {

    private static final int SUBSCRIBERS = 5_000;
    private static final double PER_SECOND = 20;
    /** The most requests in flight: one more than there ever are while the server keeps up. */
    private static final int PUBLISHING = 2;

    private static final String SETTING = """
            `POST /topics/news` of 100 bytes, steadily 20 times a second, to 5,000 WebSockets on
            `/ws/topics/news`: 100,000 messages a second. Bare Netty writes them with
            `DefaultChannelGroup.writeAndFlush` and then answers.""";
    private static final String NOTES = """
            Medians of the rounds; max is the largest, lost are all messages that a subscriber did not get
            until five seconds after the last was sent. A delivery takes from the sending of the POST to the
            arrival at one subscriber; the POST's own answer has its own columns. CPU is that of the server's
            process. Driver and server share the processors; one thread of the driver reads all 5,000
            sockets. Known p99: bare Netty 47 ms, nchan 90 ms.""";

    /** One round: what was published and what arrived. */
    private record Spread(Answers posts, Histogram deliveries, long lost, Duration processorTime) {

        Quantiles latency() {
            return Quantiles.of(deliveries);
        }

        Quantiles post() {
            return Quantiles.of(posts.latencies(AnswerClass.OK));
        }

        double micros() {
            return processorTime.toNanos() / 1e3 / deliveries.getTotalCount();
        }

        long errors() {
            return lost + posts.failures();
        }
    }

    private final Workbench bench;
    private final Map<Variant, List<Spread>> rounds = new LinkedHashMap<>();

    private WebSocketFanOut(Workbench bench) {
        this.bench = bench;
    }

    static Section run(Workbench bench) throws Exception {
        OpenFiles.need(SUBSCRIBERS);
        var fanOut = new WebSocketFanOut(bench);
        try (var servers = WebSocketServers.configured()) {
            for (int round = 1; round <= bench.timing().rounds(); round++) {
                for (var variant : WebSocketServers.ALL) {
                    fanOut.measure(servers, variant, round);
                }
            }
        }
        return fanOut.section();
    }

    private void measure(WebSocketServers servers, Variant variant, int round) throws Exception {
        var publications = new Publications(WebSocketServers.PUBLISH);
        var deliveries = new Deliveries(publications);
        try (var server = servers.start(bench, variant);
                var subscribers = WebSockets.to(server.port(), WebSocketServers.SUBSCRIBE, deliveries)) {
            subscribers.open(SUBSCRIBERS);
            // At a quarter of the rate: a backlog of the cold server would still be there when it is
            // measured.
            try (var publisher = publisher(server, PER_SECOND / 4, publications)) {
                publisher.warmUp(bench.timing().warmUp());
            }
            try (var publisher = publisher(server, PER_SECOND, publications)) {
                publisher.warmUp(bench.timing().settle());
                deliveries.begin();
                var before = server.processorTime();
                var posts = publisher.measure(bench.timing().measured()).get();
                var used = server.processorTime().minus(before);
                var spread = new Spread(posts, deliveries.latencies(), deliveries.end(SUBSCRIBERS), used);
                rounds.computeIfAbsent(variant, _ -> new ArrayList<>()).add(spread);
                bench.say("round %d of %d, %s: p50 %s ms, p99 %s ms, %,d lost".formatted(
                        round, bench.timing().rounds(), variant.name(), Figure.of(spread.latency().p50()),
                        Figure.of(spread.latency().p99()), spread.lost()));
            }
        }
    }

    private static Load publisher(ServerProcess server, double perSecond, Publications publications)
            throws TimeoutException, InterruptedException {
        return Load.open(server.port(), PUBLISHING, Arrivals.steady(perSecond), publications);
    }

    private Section section() {
        var table = new MarkdownTable("server", "p50, ms", "p95, ms", "p99, ms", "max, ms",
                "POST: p50, ms", "p99, ms", "CPU, µs/message", "lost", "errors");
        rounds.forEach((variant, spreads) -> {
            var latency = Quantiles.ofRounds(spreads.stream().map(Spread::latency).toList());
            var post = Quantiles.ofRounds(spreads.stream().map(Spread::post).toList());
            table.row(variant.name(), Figure.of(latency.p50()), Figure.of(latency.p95()),
                    Figure.of(latency.p99()), Figure.of(latency.max()),
                    Figure.of(post.p50()), Figure.of(post.p99()),
                    Figure.of(Median.of(spreads, Spread::micros)),
                    Figure.of(spreads.stream().mapToLong(Spread::lost).sum()),
                    Figure.of(spreads.stream().mapToLong(spread -> spread.posts().failures()).sum()));
        });
        var ours = rounds.getOrDefault(WebSocketServers.OURS, List.of());
        var lines = rounds.entrySet().stream()
                .map(result -> Series.percentiles(result.getKey().name(), all(result.getValue())))
                .toList();
        var plot = SvgPlot.of("20 messages a second to 5,000 WebSockets", List.of(new SvgPlot.Panel(
                Axis.percentiles(),
                Axis.linear("from POST to arrival, ms", Series.largestOf(lines)),
                lines)));
        return new Section("WebSocket fan-out", SETTING, table, NOTES,
                List.of(Goal.atMost(45, "p99 of deliveries, ours, ms", p99(ours)),
                        Goal.atMost(45.0 / 47, "p99 of deliveries, ours / bare Netty",
                                p99(ours) / p99(rounds.getOrDefault(WebSocketServers.BARE, List.of()))),
                        Goal.atMost(3, "p50 of the POST, ours, ms",
                                Median.of(ours, spread -> spread.post().p50()))),
                rounds.values().stream().flatMap(List::stream).mapToLong(Spread::errors).sum(), plot);
    }

    private static double p99(List<Spread> spreads) {
        return Median.of(spreads, spread -> spread.latency().p99());
    }

    private static Histogram all(List<Spread> spreads) {
        var all = spreads.getFirst().deliveries().copy();
        spreads.stream().skip(1).forEach(spread -> all.add(spread.deliveries()));
        return all;
    }
}
