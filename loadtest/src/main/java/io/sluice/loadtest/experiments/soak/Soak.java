package io.sluice.loadtest.experiments.soak;

import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.faults.Databases;
import io.sluice.loadtest.experiments.faults.Scene;
import io.sluice.loadtest.experiments.faults.Tally;
import io.sluice.loadtest.experiments.faults.Verdict.Outcome;
import io.sluice.loadtest.experiments.report.Axis;
import io.sluice.loadtest.experiments.report.Figure;
import io.sluice.loadtest.experiments.report.Goal;
import io.sluice.loadtest.experiments.report.MarkdownTable;
import io.sluice.loadtest.experiments.report.Section;
import io.sluice.loadtest.experiments.report.Series;
import io.sluice.loadtest.experiments.report.SvgPlot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs all attacks and faults in turns beside an open loop of requests, and measures the gateway's resources
 * after each.
 */
public final class Soak {

    private static final Duration REPORT = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofSeconds(15);
    private static final Duration LONGEST_ORDEAL = Duration.ofSeconds(5);
    /** The minimum of attacks and faults in a run of any length. */
    private static final int ORDEALS = 30;
    /** The share of the time that counts as warm-up and is left out of slopes. */
    private static final double WARMING = 0.25;

    private static final String SETTING = """
            For %s min, every attack of `hostile` and every fault of `faults` that one gateway gets over, by
            turns, each for %s s, beside the 120 requests a second of `faults`. Half as long after each, when
            its connections are gone and the requests go on, the gateway collects its garbage and tells what
            it holds.""";
    private static final String NOTES = """
            The slope is that of Sen with seasons: the median of the slopes between all pairs of samples that
            were taken after the same attack or fault, in the last three quarters of the time; with the
            interval that holds the true one with 99 %% confidence, which is the noise. %,d samples; of %,d
            requests, %,d were right, %,d refused, %,d wrong and %,d lost.""";

    private final Workbench bench;
    private final Duration length;
    private final Duration ordeal;
    private final List<Holding> holdings = new ArrayList<>();

    private Soak(Workbench bench) {
        this.bench = bench;
        length = bench.length().orElse(bench.timing().judged() ? REPORT : SHORT);
        var share = length.dividedBy(2 * ORDEALS);
        ordeal = share.compareTo(LONGEST_ORDEAL) < 0 ? share : LONGEST_ORDEAL;
    }

    /** Runs the soak, for the length that the workbench sets. */
    public static Section run(Workbench bench) throws Exception {
        return run(bench, Ordeal.all());
    }

    static Section run(Workbench bench, List<Ordeal> ordeals) throws Exception {
        var soak = new Soak(bench);
        try (var databases = Databases.start(); var scene = new Scene(bench, databases, 1)) {
            Thread.sleep(bench.timing().settle()); // the load starts
            scene.nextTally();
            soak.measure(scene, ordeals);
            var tally = scene.nextTally();
            tally.await();
            return soak.section(tally);
        }
    }

    private void measure(Scene scene, List<Ordeal> ordeals) throws Exception {
        long begin = System.nanoTime();
        for (int turn = 0; System.nanoTime() - begin < length.toNanos(); turn++) {
            var next = ordeals.get(turn % ordeals.size());
            next.last(scene, ordeal);
            Thread.sleep(ordeal.dividedBy(2));
            if (!scene.gateway().alive()) {
                throw new IllegalStateException("the gateway has ended (%s) after %s"
                        .formatted(scene.gateway().state(), next));
            }
            scene.emptyLogs();
            var holding = Holding.of(scene.gateway(), next.toString(),
                    (System.nanoTime() - begin) / (double) Duration.ofHours(1).toNanos());
            holdings.add(holding);
            bench.say("%.1f min, %s: heap %s MB, direct %s MB, %.0f descriptors, %.0f threads".formatted(
                    holding.hours() * 60, next, Figure.of(holding.heap() / 1e6),
                    Figure.of(holding.direct() / 1e6), holding.descriptors(), holding.threads()));
        }
    }

    private List<Holding> warm() {
        double from = holdings.getLast().hours() * WARMING;
        return holdings.stream().filter(holding -> holding.hours() >= from).toList();
    }

    private Section section(Tally tally) {
        var table = new MarkdownTable("measure", "first", "last", "highest", "slope, per hour", "99 %: from",
                "to", "0 within the noise");
        var goals = new ArrayList<Goal>();
        for (var measure : Measure.values()) {
            var points = measure.points(warm());
            var slope = Slope.of(warm().stream().collect(Collectors.groupingBy(Holding::ordeal)).values()
                    .stream().map(measure::points).toList());
            table.row(measure.title(), Figure.of(points.getFirst().y()), Figure.of(points.getLast().y()),
                    Figure.of(points.stream().mapToDouble(Series.Point::y).max().orElse(Double.NaN)),
                    Figure.of(slope.slope()), Figure.of(slope.low()), Figure.of(slope.high()),
                    slope.zeroWithinTheNoise() ? "yes" : "no");
            goals.add(Goal.atMost(0, "%s, what it grows by in an hour at least".formatted(measure.title()),
                    slope.low()));
        }
        goals.add(Goal.atMost(0, "requests that were wrong or lost",
                tally.count(Outcome.WRONG) + tally.count(Outcome.LOST)));
        var setting = SETTING.formatted(
                Figure.of(length.toSeconds() / 60.0), Figure.of(ordeal.toMillis() / 1e3));
        var notes = NOTES.formatted(warm().size(), tally.requests(), tally.count(Outcome.RIGHT),
                tally.count(Outcome.REFUSED), tally.count(Outcome.WRONG), tally.count(Outcome.LOST));
        return new Section("Soak", setting, table, notes, goals, 0, plot());
    }

    private String plot() {
        var panels = Stream.of(Measure.values()).map(measure -> {
            var line = new Series(measure.name().toLowerCase(Locale.ROOT), measure.points(holdings));
            return new SvgPlot.Panel(Axis.linear("hours", holdings.getLast().hours()),
                    Axis.linear(measure.title(), Series.largestOf(List.of(line))), List.of(line));
        }).toList();
        return SvgPlot.of("What the gateway holds after each attack and fault", panels);
    }
}
