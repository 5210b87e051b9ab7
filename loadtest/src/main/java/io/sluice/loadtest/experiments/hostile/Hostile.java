package io.sluice.loadtest.experiments.hostile;

import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.driver.AnswerClass;
import io.sluice.loadtest.experiments.report.Axis;
import io.sluice.loadtest.experiments.report.Figure;
import io.sluice.loadtest.experiments.report.Goal;
import io.sluice.loadtest.experiments.report.MarkdownTable;
import io.sluice.loadtest.experiments.report.Section;
import io.sluice.loadtest.experiments.report.Series;
import io.sluice.loadtest.experiments.report.SvgPlot;
import io.sluice.loadtest.experiments.server.AotCache;
import io.sluice.loadtest.experiments.server.Confinement;
import io.sluice.loadtest.experiments.server.PeakWatch;
import io.sluice.loadtest.experiments.server.RowDatabase;
import io.sluice.loadtest.experiments.server.Variant;
import io.sluice.loadtest.experiments.site.TargetSite;
import io.sluice.loadtest.experiments.wire.Onslaught;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Measures a neighbour, alone and beside each attack of one hostile client, each time on a fresh gateway. */
public final class Hostile {

    /** The acceptable delay in ms: four tasks of an event loop at their longest allowed duration. */
    private static final double BEARABLE = 20;

    private static final String SETTING = """
            A neighbour asks steadily %d times a second, alone for %s s and then for %s s beside one attack,
            which comes from one address, on a fresh gateway each time with `-Xmx256m`, `ulimit -n 1024` and
            an AOT cache, as the launcher and the image make one.
            What the neighbour asks for is what the attack means to take away: a text from the event loop,
            a row by its key from PostgreSQL, or a file of 200 kB.""";
    private static final String NOTES = """
            Sent is what the attack cost its client, in bytes of TCP's payload, or of that of TLS; cut off
            are connections of the client that the gateway ended. Latencies are of the neighbour's answers
            with 200 and count from the time at which a request was meant to be sent; refused are its answers
            with 503 and 504, failed all others, broken connections and requests without an answer until 5 s
            after the end. Memory (RSS) and descriptors are the most that the gateway's process had during
            the attack. Attacker, neighbour, gateway and database share the processors.""";

    private final Workbench bench;
    private final Confinement confinement;
    private final List<AttackResult> results = new ArrayList<>();

    private Hostile(Workbench bench, Confinement confinement) {
        this.bench = bench;
        this.confinement = confinement;
    }

    /** Runs all attacks, one after the other. */
    public static Section run(Workbench bench) throws Exception {
        try (var cache = AotCache.train(bench.jar())) {
            return run(bench, List.of(Attack.values()), TargetSite.SMALL.with(cache));
        }
    }

    static Section run(Workbench bench, List<Attack> attacks, Confinement confinement) throws Exception {
        var hostile = new Hostile(bench, confinement);
        try (var database = RowDatabase.start(); var site = TargetSite.of(database.url(), bench.jar())) {
            for (var attack : attacks) {
                hostile.measure(site, attack);
            }
        }
        return hostile.section();
    }

    private Duration alone() {
        return bench.timing().settle();
    }

    private Duration beside() {
        return bench.timing().measured().dividedBy(2);
    }

    private void measure(TargetSite site, Attack attack) throws Exception {
        var squads = attack.squads();
        var variant = new Variant(attack.toString(), Map.of());
        try (var gateway = bench.start(site.config(), variant, confinement);
                var neighbour = attack.neighbour().load(gateway)) {
            neighbour.warmUp(bench.timing().settle());
            var quiet = neighbour.measure(alone()).get();
            try (var peak = PeakWatch.of(gateway)) {
                var measured = neighbour.measure(beside());
                var onslaught = Onslaught.of(attack.port(gateway), squads);
                try (onslaught) {
                    Thread.sleep(beside()); // the attack lasts as long as the phase
                }
                add(new AttackResult(attack, quiet, measured.get(), onslaught.sentBytes(),
                        onslaught.connections(), onslaught.cutOff(), peak.residentBytes(), peak.descriptors(),
                        gateway.state()));
            }
        }
    }

    private void add(AttackResult result) {
        results.add(result);
        bench.say("%s, %s".formatted(result.attack(), result.state()),
                result.beside().perSecond(AnswerClass.OK), AttackResult.latency(result.beside()));
    }

    private Section section() {
        var table = new MarkdownTable("attack", "sent, kB", "connections", "cut off", "neighbour",
                "alone: p50, ms", "p99, ms", "beside: p50, ms", "p99, ms", "max, ms", "refused", "failed",
                "memory, MB", "descriptors", "gateway");
        for (var result : results) {
            var alone = AttackResult.latency(result.alone());
            var beside = AttackResult.latency(result.beside());
            table.row(result.attack().toString(), Figure.of(result.sentBytes() / 1e3),
                    Figure.of(result.connections()), Figure.of(result.cutOff()),
                    result.attack().neighbour().toString(), Figure.of(alone.p50()), Figure.of(alone.p99()),
                    Figure.of(beside.p50()), Figure.of(beside.p99()), Figure.of(beside.max()),
                    Figure.of(result.refused()), Figure.of(result.failed()),
                    Figure.of(result.residentBytes() / 1e6), Figure.of(result.descriptors()), result.state());
        }
        var setting = SETTING.formatted(Neighbour.RATE, Figure.of(alone().toMillis() / 1e3),
                Figure.of(beside().toMillis() / 1e3));
        return new Section("Hostile clients", setting, table, NOTES, goals(), 0, plot());
    }

    /** A panel for each kind of neighbour. */
    private String plot() {
        var panels = Stream.of(Neighbour.values()).map(neighbour -> {
            var lines = results.stream().filter(result -> result.attack().neighbour() == neighbour)
                    .map(AttackResult::line).toList();
            return new SvgPlot.Panel(Axis.percentiles(), Axis.logarithmic(neighbour + ": latency, ms",
                    Series.smallestOf(lines), Series.largestOf(lines)), lines);
        }).filter(panel -> !panel.series().isEmpty()).toList();
        return SvgPlot.of("A neighbour beside one hostile client", panels);
    }

    private List<Goal> goals() {
        var goals = new ArrayList<Goal>();
        goals.add(Goal.atMost(0, "gateways that did not survive",
                results.stream().filter(result -> !result.survived()).count()));
        for (var result : results) {
            goals.add(Goal.atMost(BEARABLE, "the neighbour's p99 beside %s, ms".formatted(result.attack()),
                    AttackResult.latency(result.beside()).p99()));
            goals.add(Goal.atMost(0, "the neighbour's requests refused or failed beside %s"
                    .formatted(result.attack()), result.refused() + result.failed()));
        }
        return goals;
    }
}
