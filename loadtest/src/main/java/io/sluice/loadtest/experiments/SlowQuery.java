package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.bench.AlternatingRounds;
import io.sluice.loadtest.experiments.bench.VariantResult;
import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.driver.Request;
import io.sluice.loadtest.experiments.report.Axis;
import io.sluice.loadtest.experiments.report.Figure;
import io.sluice.loadtest.experiments.report.Goal;
import io.sluice.loadtest.experiments.report.MarkdownTable;
import io.sluice.loadtest.experiments.report.Section;
import io.sluice.loadtest.experiments.report.Series;
import io.sluice.loadtest.experiments.report.SvgPlot;
import io.sluice.loadtest.experiments.server.Variant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** Field report R4: a query that takes 20 ms, on different kinds of threads. */
final class SlowQuery {

    private static final int CONNECTIONS = 1_000;
    private static final double LIMIT = 10 / 0.020;
    private static final String KIND = "query";

    private static final String SETTING = """
            `GET /benchmark/jdbc?ms=20`, a query that sleeps for 20 ms (19.9 ms and what timers are late by),
            by 1,000 connections in a closed loop; 10 database connections, so 10 / 0.020 s = 500 queries a
            second are the limit. The first three variants are bare Netty with JDBC.""";
    private static final String NOTES = """
            Medians of the rounds; max is the largest, errors are all of them. CPU is that of the server's
            process. Known figures: Vert.x and Tomcat 487/s; p99 / p50 is 1.1 with Vert.x, 1.8 with Tomcat and
            3 with Tomcat on virtual threads. Field report R4, on another machine, in requests a second: 91 on
            2 event loops, 425 on 10, 450 with `DefaultEventExecutorGroup(10)`.""";

    private SlowQuery() {}

    static Section run(Workbench bench) throws Exception {
        try (var servers = QueryServers.ofSleepyDatabases()) {
            var request = Request.get(KIND, "/benchmark/jdbc?ms=20");
            var variants = new LinkedHashMap<Variant, Duration>();
            // A round of all users takes 1,000 x 20 ms / 2 = 10 s; before that, waiting times are shorter.
            variants.put(QueryServers.ON_2_LOOPS, Duration.ofSeconds(12));
            variants.put(QueryServers.ON_10_LOOPS, Duration.ZERO);
            variants.put(QueryServers.PINNED, Duration.ZERO);
            variants.put(QueryServers.PLATFORM, Duration.ZERO);
            variants.put(QueryServers.VIRTUAL, Duration.ZERO);
            return section(
                    new AlternatingRounds(servers, CONNECTIONS, () -> () -> request)
                            .measure(bench, variants));
        }
    }

    private static Section section(List<VariantResult> results) {
        var table = new MarkdownTable("variant", "req/s", "of 500/s", "p50, ms", "p95, ms", "p99, ms",
                "p99 / p50", "max, ms", "errors", "CPU, µs/req");
        for (var result : results) {
            var latency = result.quantiles();
            table.row(result.name(), Figure.of(result.perSecond()),
                    Figure.percent(result.perSecond() / LIMIT), Figure.of(latency.p50()),
                    Figure.of(latency.p95()), Figure.of(latency.p99()), Figure.ratio(latency.spread()),
                    Figure.of(latency.max()), Figure.of(result.failures()),
                    Figure.of(result.microsPerRequest()));
        }
        var lines = results.stream().map(result -> result.percentiles(KIND)).toList();
        var plot = SvgPlot.of("A query of 20 ms, 1,000 connections, 10 workers", List.of(new SvgPlot.Panel(
                Axis.percentiles(),
                Axis.logarithmic("latency, ms", Series.smallestOf(lines), Series.largestOf(lines)),
                lines)));
        return new Section("R4: a query of 20 ms", SETTING, table, NOTES, goals(results),
                results.stream().mapToLong(VariantResult::failures).sum(), plot);
    }

    private static List<Goal> goals(List<VariantResult> results) {
        var goals = new ArrayList<Goal>();
        for (var result : results) {
            if (result.variant().equals(QueryServers.PLATFORM)
                    || result.variant().equals(QueryServers.VIRTUAL)) {
                goals.add(Goal.atLeast(0.99, result.name() + ", of the limit", result.perSecond() / LIMIT));
                goals.add(Goal.atMost(1.05, result.name() + ", p99 / p50", result.quantiles().spread()));
            }
        }
        return goals;
    }
}
