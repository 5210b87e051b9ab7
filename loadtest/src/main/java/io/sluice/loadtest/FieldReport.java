package io.sluice.loadtest;

import io.sluice.loadtest.simulations.CodeSimulation;
import io.sluice.loadtest.simulations.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * The figures of a field report for one workload, and how to find the same figures in the log of a run.
 *
 * @param name the name of the report in this project
 * @param servers the servers that it measured
 */
record FieldReport(String name, List<String> servers, List<Figure> figures) {

    private static final FieldReport R1_HELLO = r1("83.9 %", "87.0 %", "82.0 %", "69.0 %");
    private static final FieldReport R1_CPU = r1("53.0 %", "47.0 %", "45.0 %", "64.9 %");
    private static final FieldReport R1_LATENCY = r1("95.69 %", "94.71 %", "93.45 %", "92.29 %");

    private static final FieldReport R3 = new FieldReport("R3", List.of("Tomcat", "Netty"), List.of(
            new Figure("requests", log -> String.format(Locale.ROOT, "%,d", log.all().count()),
                    "74,989", "83,111"),
            new Figure("mean", log -> millis(log.all().mean()), "1,601 ms", "309 ms"),
            new Figure("max", log -> millis(log.all().max()), "20,284 ms", "418 ms"),
            new Figure("errors", log -> log.all().failure(), "15.82 %", "2.29 %"),
            new Figure("throughput", FieldReport::throughput, "663/s", "748/s")));

    private static final FieldReport R4 = new FieldReport("R4",
            List.of("Spring MVC", "2 event loops", "10 event loops", "2 and a group"), List.of(
            new Figure("throughput", FieldReport::throughput, "443/s", "91/s", "425/s", "450/s"),
            new Figure("p50", log -> millis(log.all().p50()), "1,200 ms", "9,000 ms", "1,400 ms", "1,200 ms"),
            new Figure("p95", log -> millis(log.all().p95()),
                    "2,000 ms", "19,000 ms", "1,600 ms", "1,300 ms")));

    private static final FieldReport R5 = new FieldReport("R5", List.of("one poller", "two pollers"), List.of(
            new Figure("max", log -> millis(log.all().max()), "1,220 ms", "449 ms"),
            new Figure("p99", log -> millis(log.all().p99()), "193 ms", "188 ms"),
            new Figure("connect p99",
                    log -> millis(log.named(CodeSimulation.CONNECT).p99()), "229 ms", "217 ms"),
            new Figure("check result max",
                    log -> millis(log.named(CodeSimulation.CHECK).max()), "366 ms", "325 ms"),
            new Figure("close max", log -> millis(log.named(CodeSimulation.CLOSE).max()), "207 ms", "285 ms"),
            new Figure("standard deviation", log -> millis(log.all().deviation()), "50 ms", "38 ms")));

    /** For workloads that no report has. */
    private static final FieldReport NONE = new FieldReport("none", List.of(), List.of());

    /** One figure: its name, its value in a run, and the reported value for each server. */
    record Figure(String what, Function<RunLog, String> measured, String... reported) {}

    /** The report that contains a workload. */
    static FieldReport of(Workload workload) {
        return switch (workload) {
            case HELLO -> R1_HELLO;
            case CPU -> R1_CPU;
            case LATENCY -> R1_LATENCY;
            case KEEP_ALIVE -> R3;
            case QUERY -> R4;
            case CODE -> R5;
            case WS_ECHO, BREAKPOINT, SOAK -> NONE;
        };
    }

    private static FieldReport r1(String... success) {
        return new FieldReport("R1",
                List.of("hybrid/platform", "hybrid/virtual", "nio/platform", "nio/virtual"),
                List.of(new Figure("success rate", log -> log.all().success(), success)));
    }

    /**
     * Responses per second, from the first request to the last response; Gatling records their times in whole
     * seconds.
     */
    private static String throughput(RunLog log) {
        return String.format(Locale.ROOT, "%,.0f/s",
                log.all().count() * 1_000.0 / Math.max(1_000, log.busy().toMillis()));
    }

    static String millis(Duration duration) {
        return String.format(Locale.ROOT, "%,d ms", duration.toMillis());
    }
}
