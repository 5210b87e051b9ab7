package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.bench.OpenFiles;
import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.driver.WebSockets;
import io.sluice.loadtest.experiments.report.Axis;
import io.sluice.loadtest.experiments.report.Figure;
import io.sluice.loadtest.experiments.report.Goal;
import io.sluice.loadtest.experiments.report.MarkdownTable;
import io.sluice.loadtest.experiments.report.Median;
import io.sluice.loadtest.experiments.report.Section;
import io.sluice.loadtest.experiments.report.Series;
import io.sluice.loadtest.experiments.report.Series.Point;
import io.sluice.loadtest.experiments.report.SvgPlot;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.server.Variant;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Measures the memory of an idle WebSocket. */
final class IdleWebSockets {

    private static final int SOCKETS = 10_000;
    private static final int STEPS = 5;
    private static final int WARM = 1_000;
    private static final String TEXT = "still there?";
    private static final long PATIENCE_MILLIS = 10_000;
    private static final long LOOK_MILLIS = 50;
    private static final Duration GIVING_BACK = Duration.ofMillis(500);

    private static final String SETTING = """
            10,000 WebSockets to `/ws/echo`, all open at the same time, on which nothing is sent until, in
            the end, each has a text echoed.""";
    private static final String NOTES = """
            Medians of the rounds, kB of 1,000 bytes; lost are all sockets that were closed or silent in the
            end. Memory is what the kernel counts for the server's process (RSS), after a full garbage
            collection (%s): heap that is free and not given back yet counts. Per socket is what
            came on top since before the first one, when 1,000 had come and gone; the process over sockets
            is all of it, the JVM included. What the kernel itself needs for a connection is in neither.
            Known figures, per socket: bare Netty 6.5, nchan 10, Vert.x 25, Tomcat 85 kB.""";

    /** Memory in bytes by the number of open WebSockets, and how many were lost at the end. */
    private record Held(List<Point> memory, int lost) {

        double before() {
            return memory.getFirst().y();
        }

        double whole() {
            return memory.getLast().y();
        }

        double perSocket() {
            return (whole() - before()) / SOCKETS;
        }
    }

    private final Workbench bench;
    private final Map<Variant, List<Held>> rounds = new LinkedHashMap<>();
    private boolean collected = true;

    private IdleWebSockets(Workbench bench) {
        this.bench = bench;
    }

    static Section run(Workbench bench) throws Exception {
        OpenFiles.need(SOCKETS);
        var idle = new IdleWebSockets(bench);
        try (var servers = WebSocketServers.configured()) {
            for (int round = 1; round <= bench.timing().rounds(); round++) {
                for (var variant : WebSocketServers.ALL) {
                    idle.measure(servers, variant, round);
                }
            }
        }
        return idle.section();
    }

    private void measure(WebSocketServers servers, Variant variant, int round) throws Exception {
        try (var server = servers.start(bench, variant)) {
            var answers = new AtomicInteger();
            try (var sockets = sockets(server, answers)) {
                sockets.open(WARM);
                ask(sockets, answers, WARM);
            }
            var memory = new ArrayList<Point>();
            memory.add(new Point(0, memory(server)));
            answers.set(0);
            try (var sockets = sockets(server, answers)) {
                for (int step = 1; step <= STEPS; step++) {
                    sockets.open(SOCKETS / STEPS);
                    if (step == STEPS) {
                        Thread.sleep(bench.timing().measured()); // they are only held open
                    }
                    memory.add(new Point(sockets.held(), memory(server)));
                }
                var held = new Held(memory, SOCKETS - ask(sockets, answers, SOCKETS));
                rounds.computeIfAbsent(variant, _ -> new ArrayList<>()).add(held);
                bench.say("round %d of %d, %s: %s kB a socket, %,d lost".formatted(
                        round, bench.timing().rounds(), variant.name(), kilobytes(held.perSocket()),
                        held.lost()));
            }
        }
    }

    private static WebSockets sockets(ServerProcess server, AtomicInteger answers) {
        return WebSockets.to(server.port(), WebSocketServers.ECHO, (_, length) -> {
            if (length == TEXT.length()) {
                answers.incrementAndGet();
            }
        });
    }

    private double memory(ServerProcess server) throws IOException, InterruptedException {
        collected &= server.collectGarbage();
        Thread.sleep(GIVING_BACK); // the collector returns memory in the background
        return server.residentBytes();
    }

    /** Counts the WebSockets that respond. */
    private static int ask(WebSockets sockets, AtomicInteger answers, int expected)
            throws InterruptedException {
        sockets.send(TEXT);
        for (long n = 0; answers.get() < expected && n < PATIENCE_MILLIS / LOOK_MILLIS; n++) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS); // the count has to be polled
        }
        return answers.get();
    }

    private Section section() {
        var table = new MarkdownTable("server", "before, MB", "with 10,000 sockets, MB", "per socket, kB",
                "process / sockets, kB", "lost");
        rounds.forEach((variant, held) -> table.row(variant.name(),
                megabytes(Median.of(held, Held::before)), megabytes(Median.of(held, Held::whole)),
                kilobytes(Median.of(held, Held::perSocket)),
                kilobytes(Median.of(held, Held::whole) / SOCKETS), Figure.of(lost(held))));
        double ours = Median.of(rounds.getOrDefault(WebSocketServers.OURS, List.of()), Held::perSocket) / 1e3;
        var lines = rounds.entrySet().stream().map(IdleWebSockets::line).toList();
        var plot = SvgPlot.of("Memory of a process that holds idle WebSockets", List.of(new SvgPlot.Panel(
                Axis.linear("WebSockets", SOCKETS),
                Axis.linear("RSS after a full collection, MB", Series.largestOf(lines)), lines)));
        return new Section("Idle WebSockets", SETTING, table,
                NOTES.formatted(collected ? "asked for with `jcmd`" : "NOT done: no `jcmd` here"),
                List.of(Goal.atMost(7, "memory of a socket, ours, kB", ours)),
                rounds.values().stream().mapToLong(IdleWebSockets::lost).sum(), plot);
    }

    private static long lost(List<Held> rounds) {
        return rounds.stream().mapToLong(Held::lost).sum();
    }

    private static Series line(Map.Entry<Variant, List<Held>> result) {
        var points = new ArrayList<Point>();
        for (int step = 0; step <= STEPS; step++) {
            int at = step;
            points.add(new Point(SOCKETS / STEPS * step,
                    Median.of(result.getValue(), held -> held.memory().get(at).y()) / 1e6));
        }
        return new Series(result.getKey().name(), points);
    }

    private static String kilobytes(double bytes) {
        return Figure.of(bytes / 1e3);
    }

    private static String megabytes(double bytes) {
        return Figure.of(bytes / 1e6);
    }
}
