package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.driver.Request;
import io.sluice.loadtest.experiments.report.Figure;
import io.sluice.loadtest.experiments.report.Goal;
import io.sluice.loadtest.experiments.report.Section;
import io.sluice.loadtest.experiments.server.ConfigFile;
import io.sluice.loadtest.experiments.server.Variant;
import java.util.List;

/**
 * Measures how a route without blocking work is affected by another route that gets ten times the load of its
 * capacity.
 */
final class Isolation {

    private static final Request HELLO = Request.get("hello", "/benchmark/hello");
    private static final Request QUERY = Request.get("query", "/benchmark/jdbc?ms=20");

    private static final String SETTING = """
            `GET /benchmark/hello` at a steady 500/s, alone and while `/benchmark/jdbc?ms=20` (a deadline of
            1 s, 10 workers, so 500/s at most) is asked for 5,000 times a second; both open loops, latency
            counts from the time at which a request was meant to be sent.""";
    private static final String NOTES = """
            Medians of the rounds, which alternate; max is the largest, errors are all of them. Driver and
            gateway share the processors; the driver itself was late by %s ms (p99 of hello's send times
            during the overload), which is part of these latencies.""";

    private Isolation() {}

    static Section run(Workbench bench) throws Exception {
        var measured = new BesideOverload(bench, HELLO, QUERY);
        var variant = Variant.platformPool().with("sluice.routes.jdbc.deadline", "1s");
        try (var config = ConfigFile.of("sleep.conf"); var gateway = bench.start(config, variant)) {
            measured.measure(gateway);
        }
        return new Section("Isolation", SETTING, measured.table(),
                NOTES.formatted(Figure.of(measured.lag())),
                List.of(Goal.atMost(1.5, "hello's p99 during the overload / alone",
                        measured.besideToAlone())),
                measured.errors(), measured.plot("Hello beside ten times too many queries"));
    }
}
