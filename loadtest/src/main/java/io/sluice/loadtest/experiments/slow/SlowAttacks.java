package io.sluice.loadtest.experiments.slow;

import io.sluice.loadtest.experiments.bench.OpenFiles;
import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.driver.AnswerClass;
import io.sluice.loadtest.experiments.driver.Arrivals;
import io.sluice.loadtest.experiments.driver.Load;
import io.sluice.loadtest.experiments.driver.Request;
import io.sluice.loadtest.experiments.driver.SlowAttack;
import io.sluice.loadtest.experiments.driver.SlowAttack.Outcome;
import io.sluice.loadtest.experiments.driver.SlowClient;
import io.sluice.loadtest.experiments.report.Axis;
import io.sluice.loadtest.experiments.report.Figure;
import io.sluice.loadtest.experiments.report.Goal;
import io.sluice.loadtest.experiments.report.MarkdownTable;
import io.sluice.loadtest.experiments.report.Section;
import io.sluice.loadtest.experiments.report.Series;
import io.sluice.loadtest.experiments.report.SvgPlot;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.server.Variant;
import io.sluice.loadtest.experiments.slow.SlowAttackResult.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Measures how a client is affected by thousands of others that make the gateway wait. */
public final class SlowAttacks {

    private static final Request HELLO = Request.get("hello", SlowAttackSite.HELLO);
    private static final double HELLO_RATE = 200;
    private static final int HELLO_CONNECTIONS = 8;
    /** The acceptable increase of hello's p99 by an attack, in ms. */
    private static final double BEARABLE = 1;
    /** The gateway checks each connection about once a second, and closes one after two checks. */
    private static final Duration LATE = Duration.ofSeconds(3);

    private static final String SETTING = """
            `GET /benchmark/hello` at a steady 200/s, alone and while %s attackers connect, 1,000 in a
            second, and keep the gateway waiting until it cuts them off. Every %s s each of them sends a
            field of a head that never ends, or 10 bytes of a body of 1 MB, or reads 16 bytes of a file of
            4 MiB. The timeouts `first-head` and `stall` are %s s; limits and logs are as by default.""";
    private static final String NOTES = """
            Medians of the phases, which alternate, hello alone before each attack; max and memory are the
            largest, failures, connected and cut off are all of them. An attack's phase begins with its
            first connection and goes on until after the last one's end. Latency counts from the time at
            which a request was meant to be sent. Memory is what the kernel counted for the gateway's
            process (RSS) at most. Attackers, driver and gateway share the processors. Slow readers have a
            small receive buffer, and segments as on Ethernet: with those of the loopback device the kernel
            takes megabytes of each answer before it waits for its reader. The goal is a difference and no
            ratio: a client may notice a millisecond more, but not that 0.2 ms have become 0.4.""";

    /**
     * The scale of the experiment.
     *
     * @param patience the timeout of the gateway for clients
     */
    private record Scale(int attackers, Duration patience) {

        /** The scale for published figures; the timeout is the gateway's default. */
        static final Scale REPORT = new Scale(2_000, Duration.ofSeconds(20));
        static final Scale SHORT = new Scale(200, Duration.ofSeconds(2));

        Duration lasts() {
            return SlowAttack.coming(attackers).plus(patience).plus(LATE);
        }

        Duration pause() {
            return patience.dividedBy(4);
        }

        Variant variant() {
            var timeout = patience.toSeconds() + "s";
            return new Variant("ours", Map.of("sluice.server.timeouts.first-head", timeout,
                    "sluice.server.timeouts.stall", timeout));
        }
    }

    /** The kinds of attacks. */
    private enum Attack {
        SLOW_HEADS(SlowClient.head(SlowAttackSite.HELLO)),
        SLOW_BODIES(SlowClient.body(SlowAttackSite.UPLOAD)),
        SLOW_READS(SlowClient.reader(SlowAttackSite.DOWNLOAD));

        private final SlowClient client;
        private final String title = name().toLowerCase(Locale.ROOT).replace('_', ' ');

        Attack(SlowClient client) {
            this.client = client;
        }
    }

    private final Workbench bench;
    private final Scale scale;
    private final SlowAttackResult alone = new SlowAttackResult("alone");
    private final Map<Attack, SlowAttackResult> attacks = new EnumMap<>(Attack.class);

    private SlowAttacks(Workbench bench) {
        this.bench = bench;
        scale = bench.timing().judged() ? Scale.REPORT : Scale.SHORT;
        for (var attack : Attack.values()) {
            attacks.put(attack, new SlowAttackResult(attack.title));
        }
    }

    /** Runs all attacks, alternating with hello alone. */
    public static Section run(Workbench bench) throws Exception {
        var attacks = new SlowAttacks(bench);
        // For each slow reader, the gateway has a file open in addition to the connection.
        OpenFiles.need(2 * attacks.scale.attackers());
        try (var site = SlowAttackSite.configured();
                var gateway = bench.start(site.config(), attacks.scale.variant());
                var hello = Load.open(gateway.port(), HELLO_CONNECTIONS, Arrivals.steady(HELLO_RATE),
                        () -> HELLO)) {
            hello.warmUp(bench.timing().warmUp());
            for (int round = 1; round <= bench.timing().rounds(); round++) {
                attacks.measure(gateway, hello, round);
            }
        }
        return attacks.section();
    }

    private void measure(ServerProcess gateway, Load hello, int round) throws Exception {
        for (var attack : attacks.entrySet()) {
            hello.warmUp(bench.timing().settle());
            gateway.forgetPeak();
            var quiet = hello.measure(bench.timing().measured()).get();
            add(alone, new Phase(quiet, Outcome.NONE, gateway.peakResidentBytes()), round);

            gateway.forgetPeak();
            var measured = hello.measure(scale.lasts());
            try (var attackers = SlowAttack.of(
                    gateway.port(), scale.attackers(), attack.getKey().client, scale.pause())) {
                var answers = measured.get();
                var outcome = attackers.outcome(scale.lasts());
                add(attack.getValue(), new Phase(answers, outcome, gateway.peakResidentBytes()), round);
            }
        }
    }

    private void add(SlowAttackResult result, Phase phase, int round) {
        result.phases().add(phase);
        bench.say("round %d of %d, %s".formatted(round, bench.timing().rounds(), result.name()),
                phase.hello().perSecond(AnswerClass.OK), phase.latency());
    }

    private Section section() {
        var table = new MarkdownTable("hello", "p50, ms", "p95, ms", "p99, ms", "max, ms", "failures",
                "attackers", "cut off", "after, s", "memory, MB");
        var results = new ArrayList<>(List.of(alone));
        results.addAll(attacks.values());
        for (var result : results) {
            var latency = result.latency();
            table.row(result.name(), Figure.of(latency.p50()), Figure.of(latency.p95()),
                    Figure.of(latency.p99()), Figure.of(latency.max()), Figure.of(result.failures()),
                    Figure.of(result.connected()), Figure.of(result.cutOff()), Figure.of(result.life()),
                    Figure.of(result.memory() / 1e6));
        }
        var lines = results.stream().map(SlowAttackResult::percentiles).toList();
        var plot = SvgPlot.of("Hello beside clients who keep the gateway waiting", List.of(new SvgPlot.Panel(
                Axis.percentiles(),
                Axis.logarithmic("latency, ms", Series.smallestOf(lines), Series.largestOf(lines)), lines)));
        long failures = results.stream().mapToLong(SlowAttackResult::failures).sum();
        var setting = SETTING.formatted(Figure.of((long) scale.attackers()),
                Figure.of(scale.pause().toMillis() / 1e3), scale.patience().toSeconds());
        return new Section("Slow attacks", setting, table, NOTES, goals(), failures, plot);
    }

    private List<Goal> goals() {
        var goals = new ArrayList<Goal>();
        double expected = (double) scale.attackers() * bench.timing().rounds();
        attacks.values().forEach(attack -> {
            goals.add(Goal.atMost(BEARABLE, "hello's p99 beside %s - alone, ms".formatted(attack.name()),
                    attack.latency().p99() - alone.latency().p99()));
            goals.add(Goal.atLeast(1, "%s that were connected and cut off".formatted(attack.name()),
                    attack.cutOff() / expected));
        });
        return goals;
    }
}
