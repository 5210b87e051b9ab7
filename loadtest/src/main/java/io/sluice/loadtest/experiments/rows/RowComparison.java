package io.sluice.loadtest.experiments.rows;

import io.sluice.loadtest.experiments.bench.AlternatingRounds;
import io.sluice.loadtest.experiments.bench.VariantResult;
import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.report.Axis;
import io.sluice.loadtest.experiments.report.Figure;
import io.sluice.loadtest.experiments.report.Goal;
import io.sluice.loadtest.experiments.report.MarkdownTable;
import io.sluice.loadtest.experiments.report.Median;
import io.sluice.loadtest.experiments.report.Section;
import io.sluice.loadtest.experiments.report.Series;
import io.sluice.loadtest.experiments.report.SvgPlot;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.server.Variant;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Compares the gateway's SQL routes with JDBC behind bare Netty and behind Tomcat, and with COPY. */
public final class RowComparison {

    private static final double MEGABYTE = 1e6;

    private static final String SETTING = """
            Four requests of items and orders of one PostgreSQL on the same machine, with 100,000 items, by
            client connections in a closed loop; 10 database connections, 64 client connections, 8 for the
            10,000 rows (469 kB). Items are chosen at random. Commits do not wait for the disk
            (`synchronous_commit = off`), and orders are deleted before each server starts. The routes are
            those of `rows.conf`.""";
    private static final String NOTES = """
            Medians of the rounds, in which the servers alternate, each in a fresh process, which is measured
            once its compilers have been idle for 3 s; errors are all of them. CPU is that of the server's
            process for each answer; its ratio to bare JDBC is the median of the rounds' ratios. Heap is what
            the server's threads allocate there for each answer, by `jcmd Thread.print -e`. MB are 1,000,000
            bytes of bodies. All JVMs have the same options and HikariCP with 10 connections. Bare JDBC is
            `HttpServerCodec` on 2 event loops and one handler added with `DefaultEventExecutorGroup(10)`;
            Tomcat's servlets run on its (platform) threads. Both write one row by a `StringBuilder` and more
            by Jackson's generator, and fetch 10,000 rows by a cursor, 1,000 at a time; bare JDBC sends them
            in chunks of 32 KiB and waits while the client does not take them. COPY is `COPY (SELECT
            row_to_json(t) FROM ...) TO STDOUT` of the same rows by %d parallel clients (%s), whose output the
            driver counts, measured before each round.""";

    private final Workbench bench;
    private final RowServers servers;
    private final MarkdownTable table = new MarkdownTable("request", "server", "req/s", "CPU, µs/req",
            "CPU / bare JDBC", "p50, ms", "p99, ms", "p99 / p50", "heap, bytes/req", "MB/s", "errors");
    private final List<Goal> goals = new ArrayList<>();
    private final List<SvgPlot.Panel> panels = new ArrayList<>();
    private final List<Double> copies = new ArrayList<>();
    private long errors;

    private RowComparison(Workbench bench, RowServers servers) {
        this.bench = bench;
        this.servers = servers;
    }

    /** Measures all loads. */
    public static Section run(Workbench bench) throws Exception {
        try (var servers = RowServers.start()) {
            var comparison = new RowComparison(bench, servers);
            for (var load : RowLoad.ALL) {
                bench.say(load.name());
                comparison.measure(load);
            }
            return comparison.section();
        }
    }

    private void measure(RowLoad load) throws Exception {
        var results = new AlternatingRounds((_, variant) -> start(load, variant), load::at, true)
                .measure(bench, RowServers.ALL);
        results.forEach(result -> row(load, result, of(RowServers.BARE, results)));
        judge(load, results);
        if (load.equals(RowLoad.TEN_THOUSAND)) {
            copyRow(load);
        }
        panels.add(panel(load, results));
        errors += results.stream().mapToLong(VariantResult::failures).sum();
    }

    private ServerProcess start(RowLoad load, Variant variant) throws IOException, InterruptedException {
        try {
            servers.database().execute("TRUNCATE orders");
            if (load.equals(RowLoad.TEN_THOUSAND) && variant.equals(RowServers.ALL.getFirst())) {
                copies.add(CopyRate.measure(servers.database(), bench.timing()));
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the database: " + e.getMessage(), e);
        }
        return servers.start(bench, variant);
    }

    private static VariantResult of(Variant variant, List<VariantResult> results) {
        return results.stream().filter(result -> result.variant().equals(variant)).findFirst().orElseThrow();
    }

    private void row(RowLoad load, VariantResult result, VariantResult bare) {
        var latency = result.quantiles();
        table.row(load.name(), result.name(), Figure.of(result.perSecond()),
                Figure.of(result.microsPerRequest()), Figure.ratio(result.processorTimeTo(bare)),
                Figure.of(latency.p50()), Figure.of(latency.p99()), Figure.ratio(latency.spread()),
                Figure.of(result.allocatedPerRequest()),
                load.equals(RowLoad.TEN_THOUSAND) ? Figure.of(result.bytesPerSecond() / MEGABYTE) : "",
                Figure.of(result.failures()));
    }

    private void copyRow(RowLoad load) {
        table.row(load.name(), "COPY, " + CopyClient.name(), "", "", "", "", "", "", "",
                Figure.of(copied() / MEGABYTE), "");
    }

    private double copied() {
        return Median.of(copies, rate -> rate);
    }

    /** Workers are platform threads unless the configuration says otherwise; the spread is of both kinds. */
    private void judge(RowLoad load, List<VariantResult> results) {
        var ours = of(RowServers.PLATFORM, results);
        goals.add(Goal.atMost(1.1, load.name() + ", CPU, %s / bare JDBC".formatted(ours.name()),
                ours.processorTimeTo(of(RowServers.BARE, results))));
        for (var variant : List.of(RowServers.PLATFORM, RowServers.VIRTUAL)) {
            goals.add(Goal.atMost(5, load.name() + ", p99 / p50, " + variant.name(),
                    of(variant, results).quantiles().spread()));
        }
        if (load.equals(RowLoad.TEN_THOUSAND)) {
            goals.add(Goal.atLeast(0.9, load.name() + ", MB/s, %s / COPY".formatted(ours.name()),
                    ours.bytesPerSecond() / copied()));
        }
    }

    private static SvgPlot.Panel panel(RowLoad load, List<VariantResult> results) {
        var lines = results.stream().map(result -> result.percentiles(load.name())).toList();
        return new SvgPlot.Panel(Axis.percentiles(), Axis.logarithmic(load.name() + ": latency, ms",
                Series.smallestOf(lines), Series.largestOf(lines)), lines);
    }

    private Section section() {
        var notes = NOTES.formatted(RowLoad.TEN_THOUSAND.connections(), CopyClient.name());
        return new Section("Rows from PostgreSQL", SETTING, table, notes, goals, errors,
                SvgPlot.of("Rows from PostgreSQL: latency", panels));
    }
}
