package io.sluice.loadtest.experiments.faults;

import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.faults.Verdict.Outcome;
import io.sluice.loadtest.experiments.report.Axis;
import io.sluice.loadtest.experiments.report.Figure;
import io.sluice.loadtest.experiments.report.Goal;
import io.sluice.loadtest.experiments.report.MarkdownTable;
import io.sluice.loadtest.experiments.report.Section;
import io.sluice.loadtest.experiments.report.Series;
import io.sluice.loadtest.experiments.report.Series.Point;
import io.sluice.loadtest.experiments.report.SvgPlot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Runs an open loop of requests with known responses while one component after the other fails. */
public final class Faults {

    private static final String SETTING = """
            120 requests a second, by the clock and not by the answers: rows and changes of rows in
            PostgreSQL, files, echoes and texts on WebSockets. All of them are idempotent and each knows its
            right answer. A balancer in front of one gateway, or of two, repeats a request whose connection
            breaks up to twice, on a new connection to the next gateway; an answer is never repeated. Each
            fault lasts for %s s; then requests go on for %s s. The gateway has `-Xmx256m`,
            `-XX:MaxDirectMemorySize=32m` and `ulimit -n 1024`.""";
    private static final String NOTES = """
            Right is 200 with the right body, byte by byte. Refused is a clean no: 429, 503, 504, a
            WebSocket's 1013, or no connection on which the request could be sent. Wrong is any other status,
            or another body. Lost is a request that was sent and has no answer within 10 s, or whose
            connection broke each time that it was sent. Each request is in exactly one of the four columns.
            Repeated counts requests that were sent once more. Recovery is the time from the end of the fault
            (of a fail-over and of a signal: from its beginning) until the last request was sent that was not
            answered right. A full disk is %s: each write fails. Meanwhile 4 clients ask for large answers
            and do not read them.""";

    private static final int BINS = 10;

    private final Workbench bench;
    private final List<FaultResult> results = new ArrayList<>();
    private String fullDisk = "";

    private Faults(Workbench bench) {
        this.bench = bench;
    }

    /** Runs all faults, one after the other. */
    public static Section run(Workbench bench) throws Exception {
        return run(bench, List.of(Fault.values()));
    }

    static Section run(Workbench bench, List<Fault> wanted) throws Exception {
        var faults = new Faults(bench);
        try (var databases = Databases.start()) {
            faults.ofOneGateway(databases, wanted.stream().filter(fault -> !fault.needsTwo()).toList());
            for (var fault : wanted.stream().filter(Fault::needsTwo).toList()) {
                try (var scene = new Scene(bench, databases, 2)) {
                    faults.measure(scene, fault);
                }
            }
        }
        return faults.section();
    }

    /** Runs faults against one gateway; one that does not survive is replaced. */
    private void ofOneGateway(Databases databases, List<Fault> faults) throws Exception {
        for (int next = 0; next < faults.size();) {
            try (var scene = new Scene(bench, databases, 1)) {
                while (next < faults.size() && scene.gateway().alive()) {
                    measure(scene, faults.get(next++));
                }
            }
        }
    }

    private Duration during() {
        return bench.timing().measured().dividedBy(2);
    }

    private Duration after() {
        return bench.timing().measured().dividedBy(2);
    }

    private void measure(Scene scene, Fault fault) throws Exception {
        Thread.sleep(bench.timing().settle()); // the load starts
        scene.nextTally();
        fullDisk = scene.fullDisk();
        long repeated = scene.repeated();
        long begin = System.nanoTime();
        fault.inject(scene);
        Thread.sleep(during()); // the fault lasts
        long end = fault.mendable() ? System.nanoTime() : begin;
        fault.mend(scene);
        Thread.sleep(after()); // the gateway recovers
        var tally = scene.nextTally();
        tally.await();
        add(new FaultResult(fault, begin, tally, scene.repeated() - repeated, tally.recovery(end),
                scene.gateway().state()));
    }

    private void add(FaultResult result) {
        results.add(result);
        bench.say("%s: %s, recovered after %s s, gateway %s".formatted(result.fault(),
                String.join(", ", Stream.of(Outcome.values())
                        .map(outcome -> "%s %,d".formatted(outcome, result.tally().count(outcome))).toList()),
                seconds(result.recovery()), result.state()));
        result.tally().examples().forEach(example -> bench.say("  " + example));
    }

    private static String seconds(Duration time) {
        return Figure.of(time.toMillis() / 1e3);
    }

    private Section section() {
        var table = new MarkdownTable("fault", "requests", "right", "refused", "wrong", "lost", "repeated",
                "recovery, s", "gateway");
        for (var result : results) {
            var tally = result.tally();
            table.row(result.fault().toString(), Figure.of(tally.requests()),
                    Figure.of(tally.count(Outcome.RIGHT)), Figure.of(tally.count(Outcome.REFUSED)),
                    Figure.of(tally.count(Outcome.WRONG)), Figure.of(tally.count(Outcome.LOST)),
                    Figure.of(result.repeated()), seconds(result.recovery()), result.state());
        }
        var setting = SETTING.formatted(seconds(during()), seconds(after()));
        return new Section("Faults", setting, table, NOTES.formatted(fullDisk), goals(), 0, plot());
    }

    private List<Goal> goals() {
        var goals = new ArrayList<Goal>();
        for (var result : results) {
            goals.add(Goal.atMost(0, "wrong or lost, " + result.fault(),
                    result.tally().count(Outcome.WRONG) + result.tally().count(Outcome.LOST)));
        }
        return goals;
    }

    private String plot() {
        var length = during().plus(after());
        var lines = results.stream().map(result -> line(result, length)).toList();
        return SvgPlot.of("Requests that were not answered right", List.of(new SvgPlot.Panel(
                Axis.linear("seconds since the beginning of the fault", length.toMillis() / 1e3),
                Axis.linear("share of those sent in a tenth of the time", 1), lines)));
    }

    private static Series line(FaultResult result, Duration length) {
        var shares = result.tally().notRight(result.begin(), length, BINS);
        return new Series(result.fault().toString(), IntStream.range(0, BINS)
                .mapToObj(bin -> new Point((bin + 0.5) * length.toMillis() / 1e3 / BINS, shares[bin]))
                .toList());
    }
}
