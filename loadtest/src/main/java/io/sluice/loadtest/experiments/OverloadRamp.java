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
import io.sluice.loadtest.experiments.report.Quantiles;
import io.sluice.loadtest.experiments.report.Section;
import io.sluice.loadtest.experiments.report.Series;
import io.sluice.loadtest.experiments.report.Series.Point;
import io.sluice.loadtest.experiments.report.SvgPlot;
import io.sluice.loadtest.experiments.report.SvgPlot.Panel;
import io.sluice.loadtest.experiments.server.ConfigFile;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.server.Variant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.ToDoubleFunction;

/**
 * Increases the load from half the capacity to ten times the capacity, and measures the throughput, the
 * rejections and the latency of both.
 */
final class OverloadRamp {

    private static final double CAPACITY = 10 / 0.020;
    private static final List<Double> FACTORS = List.of(0.5, 0.8, 0.95, 1.0, 1.5, 2.0, 5.0, 10.0);
    private static final int CONNECTIONS = 1_000;
    private static final Request QUERY = Request.get("query", "/benchmark/jdbc?ms=20");

    private static final String SETTING = """
            `GET /benchmark/jdbc?ms=20` with a deadline of 1 s and 10 workers (500/s at most), in open loops:
            users who come independently of each other (exponential gaps) and of the answers. Latency counts
            from the time at which a request was meant to be sent.""";
    private static final String NOTES = """
            Goodput are answers with 200, refused those with 503, missed those with 504. One gateway goes
            through all steps; each step is measured once, after it has settled.""";

    /** One measured rate; {@code factor} is in multiples of the capacity. */
    private record Step(double factor, Answers answers) {

        double goodput() {
            return answers.perSecond(AnswerClass.OK);
        }

        Quantiles admitted() {
            return Quantiles.of(answers.latencies(AnswerClass.OK));
        }

        Quantiles refused() {
            return Quantiles.of(answers.latencies(AnswerClass.REFUSED));
        }
    }

    private OverloadRamp() {}

    static Section run(Workbench bench) throws Exception {
        var variant = Variant.platformPool().with("sluice.routes.jdbc.deadline", "1s");
        try (var config = ConfigFile.of("sleep.conf"); var gateway = bench.start(config, variant)) {
            // At the highest rate, to warm up rejections as well.
            measure(gateway, FACTORS.getLast(), bench.timing().warmUp(), Duration.ofMillis(1));
            var steps = new ArrayList<Step>();
            // Just above the capacity, a queue of one second takes longer than a second to fill.
            var settle = bench.timing().settle().multipliedBy(2);
            for (double factor : FACTORS) {
                var step = new Step(factor,
                        measure(gateway, factor, settle, bench.timing().measured()));
                bench.say("%s x capacity, goodput".formatted(factor), step.goodput(), step.admitted());
                steps.add(step);
            }
            return section(steps);
        }
    }

    private static Answers measure(ServerProcess gateway, double factor, Duration before, Duration measured)
            throws TimeoutException, InterruptedException, ExecutionException {
        try (var load = Load.open(
                gateway.port(), CONNECTIONS, Arrivals.independent(factor * CAPACITY), () -> QUERY)) {
            load.warmUp(before);
            return load.measure(measured).get();
        }
    }

    private static Section section(List<Step> steps) {
        var table = new MarkdownTable("offered", "offered/s", "goodput/s", "refused/s", "missed/s",
                "admitted: p50, ms", "p99, ms", "refused: p50, ms", "p99, ms", "errors");
        for (var step : steps) {
            var admitted = step.admitted();
            var refused = step.refused();
            table.row(step.factor() + " x", Figure.of(step.answers().offeredPerSecond()),
                    Figure.of(step.goodput()),
                    Figure.of(step.answers().perSecond(AnswerClass.REFUSED)),
                    Figure.of(step.answers().perSecond(AnswerClass.LATE)),
                    Figure.of(admitted.p50()), Figure.of(admitted.p99()),
                    Figure.of(refused.p50()), Figure.of(refused.p99()), Figure.of(step.answers().errors()));
        }
        return new Section("Overload", SETTING, table, NOTES, List.of(),
                steps.stream().mapToLong(step -> step.answers().errors()).sum(), plot(steps));
    }

    private static String plot(List<Step> steps) {
        var goodput = List.of(
                line("answered with 200", steps, Step::goodput),
                line("what could be done", steps, step -> Math.min(step.factor(), 1) * CAPACITY));
        var latency = List.of(
                line("admitted, p99", steps, step -> step.admitted().p99()),
                line("admitted, p50", steps, step -> step.admitted().p50()),
                line("refused, p99", steps, step -> step.refused().p99()));
        var offered = Axis.logarithmic("offered load, multiples of what can be done",
                FACTORS.stream().filter(factor -> factor != 0.95)
                        .map(factor -> new Axis.Tick(factor, factor + " x")).toList());
        return SvgPlot.of("From half of what can be done to ten times as much", List.of(
                new Panel(offered, Axis.linear("answers with 200, 1/s", Series.largestOf(goodput)), goodput),
                new Panel(offered, Axis.linear("latency, ms", Series.largestOf(latency)), latency)));
    }

    private static Series line(String name, List<Step> steps, ToDoubleFunction<Step> y) {
        return new Series(name,
                steps.stream().map(step -> new Point(step.factor(), y.applyAsDouble(step))).toList());
    }
}
