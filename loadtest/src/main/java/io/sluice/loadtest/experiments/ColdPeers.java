package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.driver.Arrivals;
import io.sluice.loadtest.experiments.driver.Load;
import io.sluice.loadtest.experiments.driver.Request;
import io.sluice.loadtest.experiments.driver.RequestSource;
import io.sluice.loadtest.experiments.report.Figure;
import io.sluice.loadtest.experiments.report.Goal;
import io.sluice.loadtest.experiments.report.MarkdownTable;
import io.sluice.loadtest.experiments.report.Section;
import io.sluice.loadtest.experiments.report.SvgPlot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * Field report R1: users arrive at the report's highest rates as soon as the server has started, whatever the
 * responses to their requests.
 */
final class ColdPeers {

    private static final String SETTING = """
            %s.
            All of it comes from the moment on at which the server, just started, says that it serves: an
            open loop at the highest rates of the field report, without what comes before them there.
            Connections are made when none is free, at most %d, and kept. Latency counts from the time at
            which a request was meant to be sent; one whose connection is refused or breaks is an error.""";

    private final String title;
    private final String setting;
    private final String scale;
    private final Duration length;
    private final int connections;
    private final Map<String, Integer> perSecond = new LinkedHashMap<>();

    private ColdPeers(String title, String setting, String scale, int connections, Duration length) {
        this.title = title;
        this.setting = setting;
        this.scale = scale;
        this.connections = connections;
        this.length = length;
    }

    static Section hello(Workbench bench) throws Exception {
        return new ColdPeers("R1: hello from a cold start", "`/benchmark/hello` 200 times a second",
                "83.9, 87, 82 and 69 %", 200, Duration.ofSeconds(20))
                .with("/benchmark/hello", 200)
                .run(bench);
    }

    static Section cpu(Workbench bench) throws Exception {
        return new ColdPeers("R1: computations from a cold start",
                "`/benchmark/cpu?n=35` 50 times a second, and `/benchmark/cpu-heavy?limit=10000` 20 times",
                "53, 47, 45 and 64.9 %", 200, Duration.ofSeconds(15))
                .with("/benchmark/cpu?n=35", 50)
                .with("/benchmark/cpu-heavy?limit=10000", 20)
                .run(bench);
    }

    static Section latency(Workbench bench) throws Exception {
        return new ColdPeers("R1: answers that wait, from a cold start",
                "`/benchmark/latency`, answered after 50, 100 and 200 ms, 300, 200 and 150 times a second,"
                        + "\nand `/benchmark/mixed`, which computes and waits for 50 ms, 100 times",
                "95.69, 94.71, 93.45 and 92.29 %", 300, Duration.ofSeconds(15))
                .with("/benchmark/latency?ms=50", 300)
                .with("/benchmark/latency?ms=100", 200)
                .with("/benchmark/latency?ms=200", 150)
                .with("/benchmark/mixed", 100)
                .run(bench);
    }

    private ColdPeers with(String path, int rate) {
        perSecond.put(path, rate);
        return this;
    }

    private Section run(Workbench bench) throws Exception {
        var results = new PeerRounds(this::load, Duration.ZERO, bench.timing().share(length))
                .measure(bench);
        var table = new MarkdownTable("server", "request", "success", "mean, ms", "p50, ms", "p99, ms",
                "max, ms", "errors", "CPU, µs/req");
        results.forEach(result -> rows(table, result));
        var panels = perSecond.keySet().stream()
                .map(path -> PeerResult.panel(results, path, path + ", ms")).toList();
        long failures = results.getFirst().times().failures();
        return new Section(title, SETTING.formatted(setting, connections), table,
                "%s\nSuccess in the report, on another machine: %s.".formatted(Peers.NOTES, scale),
                List.of(Goal.atMost(0, "errors, ours", failures)), failures, SvgPlot.of(title, panels));
    }

    private Load load(int port) throws TimeoutException, InterruptedException {
        int all = perSecond.values().stream().mapToInt(Integer::intValue).sum();
        var requests = new ArrayList<Request>();
        perSecond.forEach((path, rate) -> requests.addAll(
                Collections.nCopies(rate, Request.get(path, path))));
        return Load.visits(port, connections, Arrivals.steady(all), RequestSource.anyOf(requests));
    }

    /** Adds one row for each kind of request; figures of all kinds together are in the first. */
    private void rows(MarkdownTable table, PeerResult result) {
        var first = true;
        for (var path : perSecond.keySet()) {
            var latency = result.times().quantiles(path);
            table.row(result.name(), path, first ? Figure.percent(result.success()) : "",
                    Figure.of(result.mean(path)), Figure.of(latency.p50()), Figure.of(latency.p99()),
                    Figure.of(latency.max()), first ? Figure.of(result.times().failures()) : "",
                    first ? Figure.of(result.times().microsPerRequest()) : "");
            first = false;
        }
    }
}
