package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.driver.AnswerClass;
import io.sluice.loadtest.experiments.driver.Load;
import io.sluice.loadtest.experiments.driver.Request;
import io.sluice.loadtest.experiments.report.Figure;
import io.sluice.loadtest.experiments.report.Goal;
import io.sluice.loadtest.experiments.report.Section;
import io.sluice.loadtest.experiments.server.ConfigFile;
import io.sluice.loadtest.experiments.server.OriginServer;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.server.Variant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Measures an upstream that gets ten times the load that its origin can handle, and a route beside it. */
final class UpstreamOverload {

    private static final Request HELLO = Request.get("hello", OriginServer.HELLO);
    private static final Request SERVED = Request.get("served", "/served");
    private static final Request WORK = Request.get("work", OriginServer.WORK_PATH);

    private static final String SETTING = """
            An origin that serves 50 concurrent requests, each for 100 ms, so 500/s at most, behind an
            upstream with `concurrency = 50` and a deadline of 1 s. It is asked for 5,000 times a second;
            beside it `GET /hello` of another upstream is, at a steady 500/s. As a control, a text of the
            gateway's own gets the 5,000 requests instead. All are open loops, latency counts from the
            time at which a request was meant to be sent.""";
    private static final String NOTES = """
            Medians of the rounds, which alternate; max is the largest, errors are all of them. The limit is
            what 50 clients get from the origin without the gateway in a closed loop: %s/s. 504 are admitted
            requests that were not answered within their deadline. Driver, gateway and origin share the
            processors; the driver itself was late by %s ms (p99 of hello's send times during the overload),
            which is part of these latencies. The p99 of hello during the overload is %s times that of the
            control, in which the same load is served.""";

    private UpstreamOverload() {}

    static Section run(Workbench bench) throws Exception {
        try (var origin = ServerProcess.startOrigin();
                var config = config(origin.port());
                var gateway = bench.start(config, new Variant("ours", Map.of()))) {
            double limit = limit(bench, origin);
            var measured = new BesideOverload(bench, HELLO, WORK, Optional.of(SERVED));
            measured.measure(gateway);
            return new Section("An overloaded upstream", SETTING, measured.table(),
                    NOTES.formatted(Figure.of(limit), Figure.of(measured.lag()),
                            Figure.ratio(measured.besideToControl())), List.of(
                            Goal.atLeast(0.99, "goodput / limit", measured.goodput() / limit),
                            Goal.atLeast(1, "admitted requests answered within their deadline",
                                    measured.inTime()),
                            Goal.atMost(1, "p50 of refusals, ms",
                                    measured.overloaded(AnswerClass.REFUSED).p50()),
                            Goal.atMost(1.5, "hello's p99 during the overload / alone",
                                    measured.besideToAlone())),
                    measured.errors(), measured.plot("Hello beside ten times too many requests"));
        }
    }

    private static ConfigFile config(int originPort) throws Exception {
        var endpoints = "endpoints = [\"http://127.0.0.1:%d\"]".formatted(originPort);
        return ConfigFile.of("upstream-overload.conf",
                "sluice.upstreams.work." + endpoints, "sluice.upstreams.other." + endpoints);
    }

    private static double limit(Workbench bench, ServerProcess origin) throws Exception {
        try (var load = Load.closed(origin.port(), OriginServer.WORKERS, () -> WORK)) {
            load.warmUp(bench.timing().warmUp());
            return load.measure(bench.timing().measured()).get().perSecond(AnswerClass.OK);
        }
    }
}
