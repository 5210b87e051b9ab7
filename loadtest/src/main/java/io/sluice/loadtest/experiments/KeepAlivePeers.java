package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.bench.OpenFiles;
import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.driver.Load;
import io.sluice.loadtest.experiments.driver.Request;
import io.sluice.loadtest.experiments.report.Figure;
import io.sluice.loadtest.experiments.report.Goal;
import io.sluice.loadtest.experiments.report.MarkdownTable;
import io.sluice.loadtest.experiments.report.Section;
import io.sluice.loadtest.experiments.report.SvgPlot;
import java.time.Duration;
import java.util.List;

/** Field report R3: 10,000 kept-alive connections, with a request every 10 s on each. */
final class KeepAlivePeers {

    private static final int USERS = 10_000;
    private static final int USERS_SHORT = 500;
    private static final Duration RAMP = Duration.ofSeconds(10);
    private static final Duration LENGTH = Duration.ofSeconds(40);
    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final String PATH = "/benchmark/latency?ms=300";
    private static final double MEBIBYTE = 1 << 20;

    private static final String SETTING = """
            %,d connections, opened one after the other within %s s, to a server that was just started; on
            each a request %s s after the answer to the one before, answered after 300 ms, until %s s have
            passed. In the field report they were 10,000, opened within 60 s, with pauses of 10 s, and it took
            120 s.""";
    private static final String NOTES = """
            %s
            Memory (RSS) and threads are those of the server's process in the end, when all connections are
            still there; a virtual thread is none. What is in flight in the end has no answer yet and is in
            no other figure: the requests of 0.3 s where a server keeps up, more where it does not. In the
            report, on another machine: Tomcat with a mean of 1,601 ms, max 20,284 ms and 15.82 %% errors,
            Netty with 309 ms, 418 ms and 2.29 %%.""";

    private KeepAlivePeers() {}

    static Section run(Workbench bench) throws Exception {
        int users = bench.timing().judged() ? USERS : USERS_SHORT;
        OpenFiles.need(users);
        var length = bench.timing().share(LENGTH);
        var ramp = bench.timing().share(RAMP);
        var pause = bench.timing().share(PAUSE);
        var request = Request.get(PATH, PATH);
        var results = new PeerRounds(port -> Load.returning(port, users, ramp, pause, () -> request),
                Duration.ZERO, length).measure(bench);
        var table = new MarkdownTable("server", "requests/s", "success", "mean, ms", "p50, ms", "p99, ms",
                "max, ms", "in flight", "errors", "CPU, µs/req", "threads", "RSS, MiB");
        for (var result : results) {
            var times = result.times();
            var latency = times.quantiles();
            table.row(result.name(), Figure.of(times.perSecond()), Figure.percent(result.success()),
                    Figure.of(result.mean(PATH)), Figure.of(latency.p50()), Figure.of(latency.p99()),
                    Figure.of(latency.max()), Figure.of(result.inFlight()), Figure.of(times.failures()),
                    Figure.of(times.microsPerRequest()), Figure.of((long) result.threads()),
                    Figure.of(result.residentBytes() / MEBIBYTE));
        }
        var ours = results.getFirst();
        long failures = ours.times().failures();
        var plot = SvgPlot.of("Answers after 300 ms on %,d connections".formatted(users),
                List.of(PeerResult.panel(results, PATH, "latency, ms")));
        return new Section("R3: 10,000 connections that are kept",
                SETTING.formatted(users, seconds(ramp), seconds(pause), seconds(length)), table,
                NOTES.formatted(Peers.NOTES), List.of(
                        Goal.atMost(0, "errors, ours", failures),
                        Goal.atMost(301, "mean, ours, ms", ours.mean(PATH))), failures, plot);
    }

    private static String seconds(Duration time) {
        return Figure.of(time.toMillis() / 1e3);
    }
}
