package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.driver.AnswerClass;
import io.sluice.loadtest.experiments.driver.Answers;
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
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.server.Variant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;

/**
 * Measures how a route without blocking work is affected by another route that gets ten times the load of its
 * capacity.
 */
final class Isolation {

    private static final double HELLO_RATE = 500;
    private static final int HELLO_CONNECTIONS = 20;
    private static final double OVERLOAD_RATE = 5_000;
    private static final int OVERLOAD_CONNECTIONS = 1_000;
    private static final Request HELLO = Request.get("hello", "/benchmark/hello");
    private static final Request QUERY = Request.get("query", "/benchmark/jdbc?ms=20");

    private static final String SETTING = """
            `GET /benchmark/hello` at a steady 500/s, alone and while `/benchmark/jdbc?ms=20` (a deadline of
            1 s, 10 workers, so 500/s at most) is asked for 5,000 times a second; both open loops, latency
            counts from the time at which a request was meant to be sent.""";

    private final Workbench bench;
    private final List<Answers> alone = new ArrayList<>();
    private final List<Answers> beside = new ArrayList<>();
    private final List<Answers> overload = new ArrayList<>();

    private Isolation(Workbench bench) {
        this.bench = bench;
    }

    static Section run(Workbench bench) throws Exception {
        var isolation = new Isolation(bench);
        isolation.measure();
        return isolation.section();
    }

    private void measure() throws Exception {
        var variant = Variant.platformPool().with("sluice.routes.jdbc.deadline", "1s");
        try (var config = ConfigFile.of("sleep.conf");
                var gateway = bench.start(config, variant);
                var hello = Load.open(
                        gateway.port(), HELLO_CONNECTIONS, Arrivals.steady(HELLO_RATE), () -> HELLO)) {
            // Warms up the rejections too: their compilation would otherwise compete with hello for the
            // processor.
            try (var load = overload(gateway)) {
                load.warmUp(bench.timing().warmUp(Duration.ofSeconds(20)));
            }
            for (int round = 1; round <= bench.timing().rounds(); round++) {
                hello.warmUp(bench.timing().settle());
                alone.add(hello.measure(bench.timing().measured()).get());
                say("round %d of %d, hello alone", round, alone, AnswerClass.OK);
                try (var load = overload(gateway)) {
                    load.warmUp(bench.timing().settle());
                    var both = load.measure(bench.timing().measured());
                    beside.add(hello.measure(bench.timing().measured()).get());
                    overload.add(both.get());
                }
                say("round %d of %d, hello during the overload", round, beside, AnswerClass.OK);
                say("round %d of %d, the overload's refused", round, overload, AnswerClass.REFUSED);
            }
        }
    }

    private static Load overload(ServerProcess gateway) throws TimeoutException, InterruptedException {
        return Load.open(
                gateway.port(), OVERLOAD_CONNECTIONS, Arrivals.steady(OVERLOAD_RATE), () -> QUERY);
    }

    private void say(String format, int round, List<Answers> answers, AnswerClass kind) {
        var last = answers.getLast();
        bench.say(format.formatted(round, bench.timing().rounds()), last.perSecond(kind),
                Quantiles.of(last.latencies(kind)));
    }

    private Section section() {
        var table = new MarkdownTable("answers", "per second", "p50, ms", "p99, ms", "max, ms", "errors");
        row(table, "hello, alone", alone, AnswerClass.OK);
        row(table, "hello, during the overload", beside, AnswerClass.OK);
        row(table, "the overload's 200", overload, AnswerClass.OK);
        row(table, "the overload's 503", overload, AnswerClass.REFUSED);
        row(table, "the overload's 504", overload, AnswerClass.LATE);
        double ratio = quantiles(beside, AnswerClass.OK).p99() / quantiles(alone, AnswerClass.OK).p99();
        var lines = List.of(
                Series.percentiles("hello, alone", all(alone, AnswerClass.OK)),
                Series.percentiles("hello, during overload", all(beside, AnswerClass.OK)),
                Series.percentiles("refused with 503", all(overload, AnswerClass.REFUSED)));
        var plot = SvgPlot.of("Hello beside ten times too many queries", List.of(new SvgPlot.Panel(
                Axis.percentiles(),
                Axis.logarithmic("latency, ms", Series.smallestOf(lines), Series.largestOf(lines)), lines)));
        return new Section("Isolation", SETTING, table, notes(),
                List.of(Goal.atMost(1.5, "hello's p99 during the overload / alone", ratio)),
                errors(alone) + errors(beside) + errors(overload), plot);
    }

    private static void row(MarkdownTable table, String what, List<Answers> rounds, AnswerClass kind) {
        var latency = quantiles(rounds, kind);
        table.row(what, Figure.of(Median.of(rounds, round -> round.perSecond(kind))),
                Figure.of(latency.p50()), Figure.of(latency.p99()), Figure.of(latency.max()),
                kind == AnswerClass.OK ? Figure.of(errors(rounds)) : "");
    }

    private String notes() {
        double lag = Median.of(beside, round -> Quantiles.of(round.lag()).p99());
        return """
                Medians of the rounds, which alternate; max is the largest, errors are all of them. Driver and
                gateway share the processors; the driver itself was late by %s ms (p99 of hello's send times
                during the overload), which is part of these latencies.""".formatted(Figure.of(lag));
    }

    private static Quantiles quantiles(List<Answers> rounds, AnswerClass kind) {
        return Quantiles.ofRounds(
                rounds.stream().map(round -> Quantiles.of(round.latencies(kind))).toList());
    }

    private static Histogram all(List<Answers> rounds, AnswerClass kind) {
        var all = rounds.getFirst().latencies(kind);
        rounds.stream().skip(1).forEach(round -> all.add(round.latencies(kind)));
        return all;
    }

    /** Counts errors, of which 503 and 504 are none. */
    private static long errors(List<Answers> rounds) {
        return rounds.stream().mapToLong(Answers::errors).sum();
    }
}
