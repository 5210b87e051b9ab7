package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.bench.AlternatingRounds;
import io.sluice.loadtest.experiments.bench.VariantResult;
import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.driver.Request;
import io.sluice.loadtest.experiments.driver.RequestSource;
import io.sluice.loadtest.experiments.report.Axis;
import io.sluice.loadtest.experiments.report.Figure;
import io.sluice.loadtest.experiments.report.Goal;
import io.sluice.loadtest.experiments.report.MarkdownTable;
import io.sluice.loadtest.experiments.report.Section;
import io.sluice.loadtest.experiments.report.Series;
import io.sluice.loadtest.experiments.report.SvgPlot;
import io.sluice.loadtest.experiments.server.RowDatabase;
import java.util.List;
import java.util.SplittableRandom;

/** Reads one row by its primary key from PostgreSQL, to measure the overhead around a cheap query. */
final class OneRow {

    private static final int CONNECTIONS = 64;
    private static final int REQUESTS = 10_000;
    private static final String KIND = "row";

    private static final String SETTING = """
            `GET /rows/{id}`: one of 100,000 rows of a PostgreSQL on the same machine by its primary key, by
            64 connections in a closed loop; 10 database connections. The first variant is bare Netty with
            JDBC.""";
    private static final String NOTES = """
            Medians of the rounds; max is the largest, errors are all of them. CPU is that of the server's
            process. Scale: a bare Netty server with HikariCP and pinned executors did 28,100/s with 37 µs of
            CPU a request, p50 1.7 ms and p99 26 ms; about that CPU is the goal, too.""";

    private OneRow() {}

    static Section run(Workbench bench) throws Exception {
        try (var database = RowDatabase.start();
                var servers = QueryServers.of(database)) {
            var chance = new SplittableRandom(1);
            var requests = chance.ints(REQUESTS, 1, RowDatabase.ROWS + 1)
                    .mapToObj(id -> Request.get(KIND, "/rows/" + id))
                    .toList();
            return section(new AlternatingRounds(servers, CONNECTIONS, () -> RequestSource.anyOf(requests))
                    .measure(bench,
                            List.of(QueryServers.PINNED, QueryServers.PLATFORM, QueryServers.VIRTUAL)));
        }
    }

    private static Section section(List<VariantResult> results) {
        var table = new MarkdownTable("variant", "req/s", "CPU, µs/req", "p50, ms", "p99, ms", "max, ms",
                "p99 / p50", "errors");
        for (var result : results) {
            var latency = result.quantiles();
            table.row(result.name(), Figure.of(result.perSecond()), Figure.of(result.microsPerRequest()),
                    Figure.of(latency.p50()), Figure.of(latency.p99()), Figure.of(latency.max()),
                    Figure.ratio(latency.spread()), Figure.of(result.failures()));
        }
        var goals = results.stream()
                .filter(result -> !result.variant().equals(QueryServers.PINNED))
                .map(result -> Goal.atMost(5, result.name() + ", p99 / p50", result.quantiles().spread()))
                .toList();
        var lines = results.stream().map(result -> result.percentiles(KIND)).toList();
        var plot = SvgPlot.of("One row by primary key, 64 connections", List.of(new SvgPlot.Panel(
                Axis.percentiles(),
                Axis.logarithmic("latency, ms", Series.smallestOf(lines), Series.largestOf(lines)),
                lines)));
        return new Section("One row from PostgreSQL", SETTING, table, NOTES, goals,
                results.stream().mapToLong(VariantResult::failures).sum(), plot);
    }
}
