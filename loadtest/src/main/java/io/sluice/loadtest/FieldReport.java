package io.sluice.loadtest;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * What a field report measured with a workload, and where the same figures stand in a run's log.
 *
 * @param name as the report is called here
 * @param servers that it measured
 */
record FieldReport(String name, List<String> servers, List<Figure> figures) {

    static final FieldReport R1 = new FieldReport("R1",
            List.of("hybrid/platform", "hybrid/virtual", "nio/platform", "nio/virtual"),
            List.of(new Figure("success rate", log -> log.all().success(),
                    "83.9 %", "87.0 %", "82.0 %", "69.0 %")));

    static final FieldReport R5 = new FieldReport("R5", List.of("one poller", "two pollers"), List.of(
            new Figure("max", log -> millis(log.all().max()), "1,220 ms", "449 ms"),
            new Figure("p99", log -> millis(log.all().p99()), "193 ms", "188 ms"),
            new Figure("connect p99",
                    log -> millis(log.named(CodeSimulation.CONNECT).p99()), "229 ms", "217 ms"),
            new Figure("check result max",
                    log -> millis(log.named(CodeSimulation.CHECK).max()), "366 ms", "325 ms"),
            new Figure("close max", log -> millis(log.named(CodeSimulation.CLOSE).max()), "207 ms", "285 ms"),
            new Figure("standard deviation", log -> millis(log.all().deviation()), "50 ms", "38 ms")));

    /** Of a workload that no report has. */
    static final FieldReport NONE = new FieldReport("none", List.of(), List.of());

    /** One line: what it is, where a run has it, and what the report gives for each server. */
    record Figure(String what, Function<RunLog, String> measured, String... reported) {}

    static String millis(Duration duration) {
        return String.format(Locale.ROOT, "%,d ms", duration.toMillis());
    }
}
