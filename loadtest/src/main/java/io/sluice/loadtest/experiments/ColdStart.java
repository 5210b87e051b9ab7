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
import io.sluice.loadtest.experiments.server.AotCache;
import io.sluice.loadtest.experiments.server.ColdServer;
import io.sluice.loadtest.experiments.server.Variant;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures a start from the process to its first responses: the cost of a restart for clients. */
final class ColdStart {

    private static final String PATH = "/benchmark/hello";
    private static final int PER_SECOND = 100;
    private static final Duration FIRST_REQUESTS = Duration.ofSeconds(5);
    private static final int CONNECTIONS = 8;
    private static final String WARM_UP = "sluice.lifecycle.warm-up";
    private static final Variant PLAIN = variant("plain", "0s");
    private static final Variant WARMED = variant("warm-up", "20s");
    private static final Variant CACHED = variant("AOT cache", "0s");
    private static final Variant BOTH = variant("both", "20s");
    private static final Variant BARE = new Variant("bare Netty", Map.of());

    private static final String SETTING = """
            The demo, database and all, from the start of its process to the first 200 of
            `/benchmark/hello`, and to the first of `/readyz`; then 500 requests for the former at 100/s, on
            8 new connections. What is not ready is not asked. Bare Netty is `HttpServerCodec` and one
            handler.""";
    private static final String NOTES = """
            Medians of the rounds; max is the largest, failures are all of them. Times are from the call that
            starts the process, tried every 2 ms. The cache is trained in the beginning, by `sluice train`.
            Scale: 340 ms to the first answer with bare Netty, 860 to 1,260 with Vert.x, 4 s with Tomcat.""";

    /** The result of one start. */
    private record Start(Duration answered, Duration ready, Answers answers) {
        Quantiles latency() {
            return Quantiles.of(answers.latencies(AnswerClass.OK));
        }
    }

    private final Workbench bench;
    private final AotCache cache;
    private final Map<Variant, List<Start>> starts = new LinkedHashMap<>();

    private ColdStart(Workbench bench, AotCache cache) {
        this.bench = bench;
        this.cache = cache;
    }

    private static Variant variant(String name, String warmUp) {
        return new Variant(name, Map.of(WARM_UP, warmUp));
    }

    static Section run(Workbench bench) throws Exception {
        try (var cache = AotCache.train(bench.jar())) {
            var experiment = new ColdStart(bench, cache);
            experiment.start(BARE); // the driver starts cold, too
            for (int round = 1; round <= bench.timing().rounds(); round++) {
                for (var variant : List.of(PLAIN, WARMED, CACHED, BOTH, BARE)) {
                    var start = experiment.start(variant);
                    experiment.starts.computeIfAbsent(variant, _ -> new ArrayList<>()).add(start);
                    bench.say("round %d of %d, %s: first answer %d ms, ready %d ms".formatted(round,
                            bench.timing().rounds(), variant.name(), start.answered.toMillis(),
                            start.ready.toMillis()), PER_SECOND, start.latency());
                }
            }
            return experiment.section();
        }
    }

    private Start start(Variant variant) throws Exception {
        try (var server = server(variant)) {
            var answered = server.answers(PATH);
            var ready = variant.equals(BARE) ? answered : server.isReady();
            try (var load = Load.open(server.port(), CONNECTIONS, Arrivals.steady(PER_SECOND),
                    () -> Request.get(PATH, PATH))) {
                return new Start(answered, ready, load.measure(FIRST_REQUESTS).get());
            }
        }
    }

    private ColdServer server(Variant variant) throws IOException {
        if (variant.equals(BARE)) {
            return ColdServer.bare();
        }
        boolean cached = variant.equals(CACHED) || variant.equals(BOTH);
        return ColdServer.gateway(bench.jar(), cached ? cache.options() : List.of(), variant);
    }

    private Section section() {
        var table = new MarkdownTable("variant", "first answer, ms", "ready, ms", "p50, ms", "p99, ms",
                "max, ms", "failures");
        var lines = new ArrayList<Series>();
        starts.forEach((variant, rounds) -> {
            var latency = Quantiles.ofRounds(rounds.stream().map(Start::latency).toList());
            table.row(variant.name(), Figure.of(millis(rounds)),
                    Figure.of(Median.of(rounds, start -> start.ready.toNanos() / 1e6)),
                    Figure.of(latency.p50()), Figure.of(latency.p99()), Figure.of(latency.max()),
                    Figure.of(failures(rounds)));
            lines.add(Series.percentiles(variant.name(), rounds.getLast().answers.latencies(AnswerClass.OK)));
        });
        var ofBoth = starts.getOrDefault(BOTH, List.of());
        var both = Quantiles.ofRounds(ofBoth.stream().map(Start::latency).toList());
        var goals = List.of(
                Goal.atMost(320, "first answer, both, ms", millis(ofBoth)),
                Goal.atMost(320.0 / 340, "first answer, both / bare Netty",
                        millis(ofBoth) / millis(starts.getOrDefault(BARE, List.of()))),
                Goal.atMost(4, "p99 of the first 500, both, ms", both.p99()));
        var plot = SvgPlot.of("The first 500 requests after a start", List.of(new SvgPlot.Panel(
                Axis.percentiles(),
                Axis.logarithmic("latency, ms", Series.smallestOf(lines), Series.largestOf(lines)), lines)));
        return new Section("Cold start", SETTING, table, NOTES, goals,
                starts.values().stream().mapToLong(ColdStart::failures).sum(), plot);
    }

    private static double millis(List<Start> rounds) {
        return Median.of(rounds, start -> start.answered.toNanos() / 1e6);
    }

    private static long failures(List<Start> rounds) {
        return rounds.stream().mapToLong(start -> start.answers.failures()).sum();
    }
}
