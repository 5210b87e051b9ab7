package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.bench.AlternatingRounds;
import io.sluice.loadtest.experiments.bench.VariantResult;
import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.driver.Load;
import io.sluice.loadtest.experiments.driver.Request;
import io.sluice.loadtest.experiments.driver.RequestSource;
import io.sluice.loadtest.experiments.report.Axis;
import io.sluice.loadtest.experiments.report.Figure;
import io.sluice.loadtest.experiments.report.Goal;
import io.sluice.loadtest.experiments.report.MarkdownTable;
import io.sluice.loadtest.experiments.report.Section;
import io.sluice.loadtest.experiments.report.Series;
import io.sluice.loadtest.experiments.report.SvgPlot;
import io.sluice.loadtest.experiments.server.BareServer;
import io.sluice.loadtest.experiments.server.ConfigFile;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.server.Variant;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Measures what the gateway adds to a request whose handler costs nothing. */
final class HotPath {

    private static final int CONNECTIONS = 64;
    private static final Variant OURS = new Variant("ours", Map.of());
    private static final Variant BARE = new Variant("bare Netty", Map.of());
    private static final Variant LOGGED = new Variant("ours, each request logged",
            Map.of("sluice.log.access", "all"));
    private static final String HELLO = "/benchmark/hello";
    private static final Map<String, List<Variant>> PATHS = new TreeMap<>(Map.of(
            HELLO, List.of(OURS, BARE, LOGGED), "/benchmark/json", List.of(OURS, BARE)));

    private static final String SETTING = """
            A request and its answer, on 64 connections in a closed loop. Ours routes, meters, and has
            deadlines and request ids; bare Netty is `HttpServerCodec` and one handler.""";
    private static final String NOTES = """
            Medians of the rounds; max is the largest, errors are all of them. CPU is that of the server's
            process, user and system, for each answer, and where ours is compared with bare Netty's, the
            median of what it is in each round; the driver's one thread shares the processors, and is
            what bounds the requests a second. Heap is what the server's threads allocate there for each
            answer, by `jcmd Thread.print -e`. Each request is logged with `sluice.log.access=all`: lines
            that come faster than they are printed are dropped. Scale: 7.8 µs with bare Netty.""";

    private HotPath() {}

    static Section run(Workbench bench) throws Exception {
        var table = new MarkdownTable("path", "server", "req/s", "CPU, µs/req", "heap, bytes/req", "p50, ms",
                "p99, ms", "max, ms", "errors");
        var goals = new ArrayList<Goal>();
        var lines = new ArrayList<Series>();
        long failures = 0;
        try (var config = ConfigFile.of("hot-path.conf")) {
            for (var path : PATHS.keySet()) {
                bench.say(path);
                var results = new AlternatingRounds((_, variant) -> start(bench, config, variant),
                        port -> Load.closed(port, CONNECTIONS, request(path)), true)
                        .measure(bench, PATHS.get(path));
                results.forEach(result -> row(table, path, result));
                goals.addAll(goals(path, results.get(0), results.get(1)));
                results.forEach(result -> lines.add(new Series(
                        result.name() + ", " + path, result.percentiles(path).points())));
                failures += results.stream().mapToLong(VariantResult::failures).sum();
            }
        }
        var plot = SvgPlot.of("A request whose answer costs nothing, 64 connections",
                List.of(new SvgPlot.Panel(Axis.percentiles(),
                        Axis.logarithmic("latency, ms", Series.smallestOf(lines), Series.largestOf(lines)),
                        lines)));
        return new Section("The hot path", SETTING, table, NOTES, goals, failures, plot);
    }

    private static RequestSource request(String path) {
        var request = Request.get(path, path);
        return () -> request;
    }

    private static ServerProcess start(Workbench bench, ConfigFile config, Variant variant)
            throws IOException, InterruptedException {
        return variant.equals(BARE)
                ? ServerProcess.startBare(variant, BareServer.Kind.HTTP)
                : bench.start(config, variant);
    }

    private static void row(MarkdownTable table, String path, VariantResult result) {
        var latency = result.quantiles();
        table.row(path, result.name(), Figure.of(result.perSecond()), Figure.of(result.microsPerRequest()),
                Figure.of(result.allocatedPerRequest()), Figure.of(latency.p50()), Figure.of(latency.p99()),
                Figure.of(latency.max()), Figure.of(result.failures()));
    }

    private static List<Goal> goals(String path, VariantResult ours, VariantResult bare) {
        var goals = new ArrayList<>(List.of(
                Goal.atMost(1.05, path + ", CPU, ours / bare Netty",
                        ours.processorTimeTo(bare)),
                Goal.atMost(1.2, path + ", p99, ours / bare Netty",
                        ours.quantiles().p99() / bare.quantiles().p99())));
        if (path.equals(HELLO)) {
            goals.add(Goal.atMost(
                    600, path + ", heap, bytes of a request, ours", ours.allocatedPerRequest()));
        }
        return goals;
    }
}
