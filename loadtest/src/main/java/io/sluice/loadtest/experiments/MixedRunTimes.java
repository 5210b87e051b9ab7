package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.bench.AlternatingRounds;
import io.sluice.loadtest.experiments.bench.VariantResult;
import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.driver.Request;
import io.sluice.loadtest.experiments.driver.RequestSource;
import io.sluice.loadtest.experiments.report.Axis;
import io.sluice.loadtest.experiments.report.Figure;
import io.sluice.loadtest.experiments.report.MarkdownTable;
import io.sluice.loadtest.experiments.report.Section;
import io.sluice.loadtest.experiments.report.Series;
import io.sluice.loadtest.experiments.report.SvgPlot;
import java.util.List;

/** Measures short queries that share a pool with long ones: how long each kind waits for the other. */
final class MixedRunTimes {

    private static final int CONNECTIONS = 64;
    private static final double LONG_SHARE = 0.1;
    private static final double LIMIT = 10 / (0.9 * 0.005 + LONG_SHARE * 0.200);
    private static final String SHORT = "short";
    private static final String LONG = "long";

    private static final String SETTING = """
            Nine queries of 5 ms to one of 200 ms, by chance, on 64 connections in a closed loop; 10 database
            connections. The first variant is bare Netty with JDBC. At most 10 / (0.9 x 5 ms + 0.1 x 200 ms) =
            408 a second can be done.""";
    private static final String NOTES = """
            Medians of the rounds; max is the largest, errors are all of them. The plot shows the short ones.
            With `addLast(group, handler)` a short query waits for the long one that has its thread while
            others idle; in one queue it waits for its turn.""";

    private MixedRunTimes() {}

    static Section run(Workbench bench) throws Exception {
        try (var servers = QueryServers.ofSleepyDatabases()) {
            var often = Request.get(SHORT, "/benchmark/jdbc?ms=5");
            var seldom = Request.get(LONG, "/benchmark/jdbc?ms=200");
            return section(new AlternatingRounds(
                    servers, CONNECTIONS, () -> RequestSource.mix(often, seldom, LONG_SHARE))
                    .measure(bench,
                            List.of(QueryServers.PINNED, QueryServers.PLATFORM, QueryServers.VIRTUAL)));
        }
    }

    private static Section section(List<VariantResult> results) {
        var table = new MarkdownTable("variant", "req/s", "of 408/s", "short: p50, ms", "p99, ms", "max, ms",
                "long: p50, ms", "p99, ms", "max, ms", "errors");
        for (var result : results) {
            var brief = result.quantiles(SHORT);
            var slow = result.quantiles(LONG);
            table.row(result.name(), Figure.of(result.perSecond()),
                    Figure.percent(result.perSecond() / LIMIT),
                    Figure.of(brief.p50()), Figure.of(brief.p99()), Figure.of(brief.max()),
                    Figure.of(slow.p50()), Figure.of(slow.p99()), Figure.of(slow.max()),
                    Figure.of(result.failures()));
        }
        var lines = results.stream().map(result -> result.percentiles(SHORT)).toList();
        var plot = SvgPlot.of("Queries of 5 ms among queries of 200 ms", List.of(new SvgPlot.Panel(
                Axis.percentiles(),
                Axis.linear("latency of the short ones, ms", Series.largestOf(lines)),
                lines)));
        return new Section("Mixed run times", SETTING, table, NOTES, List.of(),
                results.stream().mapToLong(VariantResult::failures).sum(), plot);
    }
}
