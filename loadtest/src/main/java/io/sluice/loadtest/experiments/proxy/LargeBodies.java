package io.sluice.loadtest.experiments.proxy;

import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.report.Axis;
import io.sluice.loadtest.experiments.report.Figure;
import io.sluice.loadtest.experiments.report.Goal;
import io.sluice.loadtest.experiments.report.MarkdownTable;
import io.sluice.loadtest.experiments.report.Section;
import io.sluice.loadtest.experiments.report.Series;
import io.sluice.loadtest.experiments.report.Series.Point;
import io.sluice.loadtest.experiments.report.SvgPlot;
import io.sluice.loadtest.experiments.server.ConfigFile;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.server.Variant;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** Measures the memory of the gateway while large bodies pass through it in each direction. */
public final class LargeBodies {

    private static final int AT_ONCE = 4;
    private static final long SIZE = 1_000_000_000;
    private static final long SHORT_SIZE = 20_000_000;
    private static final double MOST_MIB = 16;
    private static final double MIB = 1 << 20;
    /** The samples from one full collection to the next one. */
    private static final int COLLECTED = 10;
    private static final Duration BETWEEN_SAMPLES = Duration.ofMillis(100);

    private static final String SETTING = """
            %d downloads of %,d bytes each at a time, and then as many uploads, through the gateway to an
            origin of plain Netty, as fast as they go, after one round of smaller ones.""";
    private static final String NOTES = """
            Direct memory is what the gateway's buffers hold, heap what it holds after a full collection
            (`jcmd GC.run`), of which there is one for ten samples: MB/s are lower for it.""";

    private final Workbench bench;
    private final ServerProcess gateway;
    private final MarkdownTable table = new MarkdownTable("bodies", "MB/s", "direct before, MiB",
            "largest during, MiB", "after, MiB", "heap before, MiB", "largest during, MiB", "after, MiB");
    private final List<Goal> goals = new ArrayList<>();
    private final List<Series> lines = new ArrayList<>();

    private LargeBodies(Workbench bench, ServerProcess gateway) {
        this.bench = bench;
        this.gateway = gateway;
    }

    /**
     * The memory at one moment, in bytes.
     *
     * @param heap 0 if there was no collection
     */
    private record Memory(long nanos, double direct, double heap) {

        static Memory of(ServerProcess gateway, boolean collected) throws IOException, InterruptedException {
            if (collected && !gateway.collectGarbage()) {
                throw new IOException("no jcmd, or it failed (expected: a JDK)");
            }
            var metrics = gateway.metrics();
            return new Memory(System.nanoTime(), metrics.sum("sluice_direct_memory_used_bytes"),
                    collected ? metrics.sum("jvm_memory_used_bytes{area=\"heap\"") : 0);
        }
    }

    /** Measures both directions. */
    public static Section run(Workbench bench) throws Exception {
        long size = bench.timing().judged() ? SIZE : SHORT_SIZE;
        try (var origin = ServerProcess.startOrigin();
                var config = ConfigFile.of("proxy.conf",
                        "sluice.upstreams.origin { endpoints = [\"http://127.0.0.1:%d\"], deadline = 5m }"
                                .formatted(origin.port()),
                        "sluice.routes.all { max-body = 2GiB, deadline = 10m }");
                var gateway = bench.start(config, new Variant("ours", Map.of()))) {
            var measured = new LargeBodies(bench, gateway);
            for (var direction : Direction.values()) {
                measured.measure(direction, size);
            }
            return new Section("Large bodies", SETTING.formatted(AT_ONCE, size), measured.table, NOTES,
                    measured.goals, 0, measured.plot());
        }
    }

    private void measure(Direction direction, long size) throws Exception {
        sample(direction, SHORT_SIZE, new ArrayList<>());
        var before = Memory.of(gateway, true);
        var during = new ArrayList<Memory>();
        long begin = System.nanoTime();
        double seconds = sample(direction, size, during);
        var after = Memory.of(gateway, true);
        double direct = during.stream().mapToDouble(Memory::direct).max().orElse(Double.NaN);
        double heap = during.stream().mapToDouble(Memory::heap).max().orElse(Double.NaN);
        double perSecond = AT_ONCE * size / 1e6 / seconds;
        table.row(direction.toString(), Figure.of(perSecond), Figure.of(before.direct() / MIB),
                Figure.of(direct / MIB), Figure.of(after.direct() / MIB), Figure.of(before.heap() / MIB),
                Figure.of(heap / MIB), Figure.of(after.heap() / MIB));
        double growth = (direct - before.direct()) / MIB;
        goals.add(Goal.atMost(
                MOST_MIB, "growth of direct memory during %s, MiB".formatted(direction), growth));
        lines.add(new Series(direction.toString(), during.stream().map(memory ->
                new Point((memory.nanos() - begin) / 1e9, memory.direct() / MIB)).toList()));
        bench.say("%s: %s MB/s, direct memory grows by %s MiB, heap by %s MiB".formatted(direction,
                Figure.of(perSecond), Figure.of(growth), Figure.of((heap - before.heap()) / MIB)));
    }

    /** Transfers bodies, and measures memory meanwhile; returns the seconds that they took. */
    private double sample(Direction direction, long size, List<Memory> samples) throws Exception {
        long begin = System.nanoTime();
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            var ends = Stream.generate(() -> clients.submit(() -> direction.transfer(gateway.port(), size)))
                    .limit(AT_ONCE).toList();
            while (!ends.stream().allMatch(Future::isDone)) {
                samples.add(Memory.of(gateway, samples.size() % COLLECTED == 0));
                Thread.sleep(BETWEEN_SAMPLES); // leaves processor time for the bodies
            }
            long end = begin;
            for (var each : ends) {
                end = Math.max(end, each.get());
            }
            return (end - begin) / 1e9;
        }
    }

    private String plot() {
        double seconds = lines.stream().flatMap(line -> line.points().stream())
                .mapToDouble(Point::x).max().orElse(1);
        return SvgPlot.of("Direct memory while large bodies pass", List.of(new SvgPlot.Panel(
                Axis.linear("seconds", seconds),
                Axis.linear("direct memory, MiB", Math.max(1, Series.largestOf(lines))), lines)));
    }
}
