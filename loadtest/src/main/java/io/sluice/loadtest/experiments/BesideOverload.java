package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.driver.AnswerClass;
import io.sluice.loadtest.experiments.driver.Answers;
import io.sluice.loadtest.experiments.driver.Arrivals;
import io.sluice.loadtest.experiments.driver.Load;
import io.sluice.loadtest.experiments.driver.Request;
import io.sluice.loadtest.experiments.report.Axis;
import io.sluice.loadtest.experiments.report.Figure;
import io.sluice.loadtest.experiments.report.MarkdownTable;
import io.sluice.loadtest.experiments.report.Median;
import io.sluice.loadtest.experiments.report.Quantiles;
import io.sluice.loadtest.experiments.report.Series;
import io.sluice.loadtest.experiments.report.SvgPlot;
import io.sluice.loadtest.experiments.server.ServerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;

/**
 * Measures a route of a gateway alone, and while another one gets ten times the load of its capacity of
 * 500/s, by turns. As a control, optionally also while as many requests are served: what those cost on shared
 * processors is no fault of the overload.
 */
final class BesideOverload {

    private static final double HELLO_RATE = 500;
    private static final int HELLO_CONNECTIONS = 20;
    private static final double OVERLOAD_RATE = 5_000;
    private static final int OVERLOAD_CONNECTIONS = 1_000;

    private final Workbench bench;
    private final Request hello;
    private final Request overloaded;
    private final List<Answers> alone = new ArrayList<>();
    private final Optional<Request> served;
    private final List<Answers> control = new ArrayList<>();
    private final List<Answers> controlLoad = new ArrayList<>();
    private final List<Answers> beside = new ArrayList<>();
    private final List<Answers> overload = new ArrayList<>();

    BesideOverload(Workbench bench, Request hello, Request overloaded) {
        this(bench, hello, overloaded, Optional.empty());
    }

    /**
     * Prepares the measurement.
     *
     * @param served a request of the control, which costs the gateway little
     */
    BesideOverload(Workbench bench, Request hello, Request overloaded, Optional<Request> served) {
        this.bench = bench;
        this.hello = hello;
        this.overloaded = overloaded;
        this.served = served;
    }

    /** Measures all rounds. */
    void measure(ServerProcess gateway) throws Exception {
        try (var neighbour = Load.open(
                gateway.port(), HELLO_CONNECTIONS, Arrivals.steady(HELLO_RATE), () -> hello)) {
            // Warms up the rejections too: their compilation would otherwise compete with hello for the
            // processor.
            try (var load = many(gateway, overloaded)) {
                load.warmUp(bench.timing().warmUp(Duration.ofSeconds(20)));
            }
            if (served.isPresent()) {
                try (var load = many(gateway, served.get())) {
                    load.warmUp(bench.timing().warmUp());
                }
            }
            for (int round = 1; round <= bench.timing().rounds(); round++) {
                neighbour.warmUp(bench.timing().settle());
                alone.add(neighbour.measure(bench.timing().measured()).get());
                say("round %d of %d, hello alone", round, alone, AnswerClass.OK);
                if (served.isPresent()) {
                    try (var load = many(gateway, served.get())) {
                        load.warmUp(bench.timing().settle());
                        var both = load.measure(bench.timing().measured());
                        control.add(neighbour.measure(bench.timing().measured()).get());
                        controlLoad.add(both.get());
                    }
                    say("round %d of %d, hello beside as many served", round, control, AnswerClass.OK);
                }
                try (var load = many(gateway, overloaded)) {
                    load.warmUp(bench.timing().settle());
                    var both = load.measure(bench.timing().measured());
                    beside.add(neighbour.measure(bench.timing().measured()).get());
                    overload.add(both.get());
                }
                say("round %d of %d, hello during the overload", round, beside, AnswerClass.OK);
                say("round %d of %d, the overload's refused", round, overload, AnswerClass.REFUSED);
            }
        }
    }

    private static Load many(ServerProcess gateway, Request request)
            throws TimeoutException, InterruptedException {
        return Load.open(
                gateway.port(), OVERLOAD_CONNECTIONS, Arrivals.steady(OVERLOAD_RATE), () -> request);
    }

    private void say(String format, int round, List<Answers> answers, AnswerClass kind) {
        var last = answers.getLast();
        bench.say(format.formatted(round, bench.timing().rounds()), last.perSecond(kind),
                Quantiles.of(last.latencies(kind)));
    }

    /** The answers of both routes by their classes. */
    MarkdownTable table() {
        var table = new MarkdownTable("answers", "per second", "p50, ms", "p99, ms", "max, ms", "errors");
        row(table, "hello, alone", alone, AnswerClass.OK);
        if (served.isPresent()) {
            row(table, "hello, beside as many requests that are served", control, AnswerClass.OK);
            row(table, "their 200", controlLoad, AnswerClass.OK);
        }
        row(table, "hello, during the overload", beside, AnswerClass.OK);
        row(table, "the overload's 200", overload, AnswerClass.OK);
        row(table, "the overload's 503", overload, AnswerClass.REFUSED);
        row(table, "the overload's 504", overload, AnswerClass.LATE);
        return table;
    }

    private static void row(MarkdownTable table, String what, List<Answers> rounds, AnswerClass kind) {
        var latency = quantiles(rounds, kind);
        table.row(what, Figure.of(Median.of(rounds, round -> round.perSecond(kind))),
                Figure.of(latency.p50()), Figure.of(latency.p99()), Figure.of(latency.max()),
                kind == AnswerClass.OK ? Figure.of(errors(rounds)) : "");
    }

    /** The p99 of the route beside the overload, divided by its p99 alone. */
    double besideToAlone() {
        return quantiles(beside, AnswerClass.OK).p99() / quantiles(alone, AnswerClass.OK).p99();
    }

    /** The p99 of the route beside the overload, divided by its p99 beside as many served requests. */
    double besideToControl() {
        return quantiles(beside, AnswerClass.OK).p99() / quantiles(control, AnswerClass.OK).p99();
    }

    /** The answers with 200 per second of the overloaded route. */
    double goodput() {
        return Median.of(overload, round -> round.perSecond(AnswerClass.OK));
    }

    /** The latencies of one class of answer of the overloaded route. */
    Quantiles overloaded(AnswerClass kind) {
        return quantiles(overload, kind);
    }

    /** The share of the overloaded route's admitted requests that were answered with 200 and not with 504. */
    double inTime() {
        double inTime = overload.stream().mapToLong(round -> round.count(AnswerClass.OK)).sum();
        return inTime / (inTime + overload.stream().mapToLong(round -> round.count(AnswerClass.LATE)).sum());
    }

    /** The lateness of the driver during the overload, p99 in ms. */
    double lag() {
        return Median.of(beside, round -> Quantiles.of(round.lag()).p99());
    }

    /** Errors, of which 503 and 504 are none. */
    long errors() {
        return errors(alone) + errors(control) + errors(controlLoad) + errors(beside) + errors(overload);
    }

    /** The latencies of hello and of rejections. */
    String plot(String title) {
        var lines = List.of(
                Series.percentiles("hello, alone", all(alone, AnswerClass.OK)),
                Series.percentiles("hello, during overload", all(beside, AnswerClass.OK)),
                Series.percentiles("refused with 503", all(overload, AnswerClass.REFUSED)));
        return SvgPlot.of(title, List.of(new SvgPlot.Panel(Axis.percentiles(),
                Axis.logarithmic("latency, ms", Series.smallestOf(lines), Series.largestOf(lines)), lines)));
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

    private static long errors(List<Answers> rounds) {
        return rounds.stream().mapToLong(Answers::errors).sum();
    }
}
