package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.driver.Load;
import io.sluice.loadtest.experiments.driver.Request;
import io.sluice.loadtest.experiments.report.Figure;
import io.sluice.loadtest.experiments.report.Goal;
import io.sluice.loadtest.experiments.report.MarkdownTable;
import io.sluice.loadtest.experiments.report.Section;
import io.sluice.loadtest.experiments.report.SvgPlot;
import java.time.Duration;
import java.util.List;

/**
 * Field report R4: a query that takes 20 ms for 1,000 users, on servers with 10 database connections each.
 */
final class QueryPeers {

    private static final int USERS = 1_000;
    private static final double LIMIT = 10 / 0.020;
    /** The first requests wait for less time than later ones: each user sends one every 2 s. */
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final Duration LENGTH = Duration.ofSeconds(10);
    private static final String PATH = "/benchmark/jdbc?ms=20";

    private static final String SETTING = """
            `GET /benchmark/jdbc?ms=20`, a query that sleeps for 20 ms (19.9 ms and what timers are late by),
            by 1,000 connections in a closed loop without pauses, opened within the first half of the warm-up;
            10 database connections, so 10 / 0.020 s = 500 queries a second are the limit. In the field report
            50 users came a second, for 5 min.""";
    private static final String NOTES = """
            %s
            In ours 2,000 may wait, for 60 s. What is in flight in the end has no answer yet and is in no
            other figure.
            In the report, on another machine, in requests a second: Spring MVC with 200 threads 443, Netty
            with 2 event loops and `DefaultEventExecutorGroup(10)` 450, on 10 event loops 425.""";

    private QueryPeers() {}

    static Section run(Workbench bench) throws Exception {
        var warmUp = bench.timing().share(WARM_UP);
        var request = Request.get(PATH, PATH);
        var results = new PeerRounds(
                port -> Load.returning(port, USERS, warmUp.dividedBy(2), Duration.ZERO, () -> request),
                warmUp, bench.timing().share(LENGTH)).measure(bench);
        var table = new MarkdownTable("server", "req/s", "of 500/s", "success", "mean, ms", "p50, ms",
                "p99, ms", "max, ms", "in flight", "errors", "CPU, µs/req");
        for (var result : results) {
            var times = result.times();
            var latency = times.quantiles();
            table.row(result.name(), Figure.of(times.perSecond()),
                    Figure.percent(times.perSecond() / LIMIT), Figure.percent(result.success()),
                    Figure.of(result.mean(PATH)), Figure.of(latency.p50()), Figure.of(latency.p99()),
                    Figure.of(latency.max()), Figure.of(result.inFlight()), Figure.of(times.failures()),
                    Figure.of(times.microsPerRequest()));
        }
        var ours = results.getFirst().times();
        var plot = SvgPlot.of("A query of 20 ms, 1,000 connections, 10 database connections",
                List.of(PeerResult.panel(results, PATH, "latency, ms")));
        return new Section("R4: a query of 20 ms, beside others", SETTING, table,
                NOTES.formatted(Peers.NOTES), List.of(
                        Goal.atMost(0, "errors, ours", ours.failures()),
                        Goal.atLeast(0.99, "of the limit, ours", ours.perSecond() / LIMIT)),
                ours.failures(), plot);
    }
}
