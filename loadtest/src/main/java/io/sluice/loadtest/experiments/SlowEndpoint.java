package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.bench.AlternatingRounds;
import io.sluice.loadtest.experiments.bench.VariantResult;
import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.driver.AnswerClass;
import io.sluice.loadtest.experiments.driver.Arrivals;
import io.sluice.loadtest.experiments.driver.Load;
import io.sluice.loadtest.experiments.driver.Request;
import io.sluice.loadtest.experiments.report.Axis;
import io.sluice.loadtest.experiments.report.Figure;
import io.sluice.loadtest.experiments.report.Goal;
import io.sluice.loadtest.experiments.report.MarkdownTable;
import io.sluice.loadtest.experiments.report.Median;
import io.sluice.loadtest.experiments.report.Quantiles;
import io.sluice.loadtest.experiments.report.Section;
import io.sluice.loadtest.experiments.report.Series;
import io.sluice.loadtest.experiments.report.SvgPlot;
import io.sluice.loadtest.experiments.server.ConfigFile;
import io.sluice.loadtest.experiments.server.OriginServer;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.server.Variant;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** Measures an upstream with a fast endpoint, alone and beside a slow one. */
final class SlowEndpoint {

    private static final Variant ALONE = new Variant("the fast endpoint alone", Map.of());
    private static final Variant BESIDE = new Variant("beside a slow one", Map.of());
    private static final Request WORK = Request.get("work", OriginServer.WORK_PATH);
    private static final Duration SLOW = Duration.ofSeconds(1);
    private static final double RATE = 500;
    /** More than the requests that are under way, here and as workers of each origin. */
    private static final int CONNECTIONS = 200;

    private static final String SETTING = """
            An upstream with an endpoint that answers immediately, alone, and with another one that answers
            after 1 s. It is asked 500 times a second in an open loop; latency counts from the time at which a
            request was meant to be sent.""";
    private static final String NOTES = """
            Medians of the rounds, which alternate, each with a fresh gateway that has had the load for some
            seconds before; max is the largest, errors are all of them. The slow endpoint's share are the
            answers that took 1 s or longer, of all rounds. Driver, gateway and origins share the
            processors.""";

    private SlowEndpoint() {}

    static Section run(Workbench bench) throws Exception {
        try (var fast = ServerProcess.startOrigin(CONNECTIONS, Duration.ZERO);
                var slow = ServerProcess.startOrigin(CONNECTIONS, SLOW)) {
            var results = new AlternatingRounds((_, variant) -> start(bench, variant,
                    variant == ALONE ? List.of(fast) : List.of(fast, slow)),
                    port -> Load.open(port, CONNECTIONS, Arrivals.steady(RATE), () -> WORK), false)
                    .measure(bench, List.of(ALONE, BESIDE));
            return section(results.getFirst(), results.getLast());
        }
    }

    private static ServerProcess start(Workbench bench, Variant variant, List<ServerProcess> origins)
            throws IOException, InterruptedException {
        var endpoints = origins.stream().map(origin -> "\"http://127.0.0.1:%d\"".formatted(origin.port()))
                .collect(Collectors.joining(", ", "[", "]"));
        try (var config = ConfigFile.of("proxy.conf", "sluice.upstreams.origin.endpoints = " + endpoints)) {
            return bench.start(config, variant);
        }
    }

    private static Section section(VariantResult alone, VariantResult beside) {
        var table = new MarkdownTable("upstream", "answers/s", "p50, ms", "p99, ms", "max, ms",
                "slow endpoint's share, %", "errors");
        for (var result : List.of(alone, beside)) {
            var latency = result.quantiles();
            table.row(result.name(), Figure.of(result.perSecond()), Figure.of(latency.p50()),
                    Figure.of(latency.p99()), Figure.of(latency.max()), Figure.of(100 * slowShare(result)),
                    Figure.of(result.failures()));
        }
        return new Section("A slow endpoint", SETTING, table, NOTES, List.of(Goal.atMost(2,
                "p99 beside a slow endpoint / alone", ratio(alone, beside))),
                alone.failures() + beside.failures(), plot(List.of(alone, beside)));
    }

    /** The median over the rounds of one p99 divided by the other of the same round. */
    private static double ratio(VariantResult alone, VariantResult beside) {
        return Median.of(IntStream.range(0, alone.rounds().size())
                .mapToDouble(round -> p99(beside, round) / p99(alone, round)).toArray());
    }

    private static double p99(VariantResult result, int round) {
        return Quantiles.of(latencies(result, round)).p99();
    }

    private static Histogram latencies(VariantResult result, int round) {
        return result.rounds().get(round).answers().latencies(AnswerClass.OK);
    }

    private static double slowShare(VariantResult result) {
        double slow = 0;
        double all = 0;
        for (int round = 0; round < result.rounds().size(); round++) {
            var latencies = latencies(result, round);
            slow += latencies.getCountBetweenValues(SLOW.toNanos(), Long.MAX_VALUE);
            all += latencies.getTotalCount();
        }
        return slow / all;
    }

    private static String plot(List<VariantResult> results) {
        var lines = results.stream().map(result -> result.percentiles(WORK.kind())).toList();
        return SvgPlot.of("An upstream beside a slow endpoint", List.of(new SvgPlot.Panel(Axis.percentiles(),
                Axis.logarithmic("latency, ms", Series.smallestOf(lines), Series.largestOf(lines)), lines)));
    }
}
