package io.sluice.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.loadtest.RunLog.Failure;
import io.sluice.loadtest.RunLog.Requests;
import io.sluice.loadtest.simulations.Profile;
import io.sluice.loadtest.simulations.SimulatedLoad.Findings;
import io.sluice.loadtest.simulations.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SummaryTest {

    @Test
    void putsTheReportsOwnRatesBesideTheMeasuredOne() {
        assertThat(summary(Workload.HELLO, 0, true, List.of())).hasToString("""

                hello (90 s) on http://localhost:8080

                               requests  failed       ok     mean  std dev      p50      p95      p99      max
                connect             105       0  100.0 %     7 ms     6 ms     2 ms     3 ms     4 ms 1,005 ms
                all               8,665       0  100.0 %     7 ms     6 ms     2 ms     3 ms     4 ms 1,005 ms

                field report R1      this run hybrid/platform  hybrid/virtual    nio/platform     nio/virtual
                success rate          100.0 %          83.9 %          87.0 %          82.0 %          69.0 %

                thresholds: all kept
                report: run/index.html
                """);
    }

    @Test
    void putsTheFiguresOfEachStepBesideTheReports() {
        assertThat(summary(Workload.CODE, 0, true, List.of()).toString()).contains("""
                field report R5      this run      one poller     two pollers
                max                  1,005 ms        1,220 ms          449 ms
                p99                      4 ms          193 ms          188 ms
                connect p99              4 ms          229 ms          217 ms
                check result max         0 ms          366 ms          325 ms
                close max                0 ms          207 ms          285 ms
                standard deviation       6 ms           50 ms           38 ms
                """);
    }

    @Test
    void workloadWithoutAFieldReportIsNotCompared() {
        assertThat(summary(Workload.WS_ECHO, 0, true, List.of()).toString())
                .startsWith("\nws-echo (70 s)").doesNotContain("field report");
    }

    @Test
    void failedRequestBreaksTheThresholds() {
        assertThat(summary(Workload.HELLO, 1, false, List.of(new Failure("Premature close", 1))).toString())
                .contains("8,665       1   99.9 %", "success rate           99.9 %",
                        "1 failed, for these reasons", "       1  Premature close",
                        "thresholds: NOT all kept");
    }

    @Test
    void tellsTheFiveMostFrequentReasons() {
        var failures = IntStream.range(0, 7).mapToObj(n -> new Failure("reason " + n, 7 - n)).toList();
        assertThat(summary(Workload.HELLO, 28, false, failures).toString())
                .contains("reason 4", "and 2 reasons more").doesNotContain("reason 5");
    }

    @Test
    void tellsTheShareThatFailedAndTheThroughput() {
        assertThat(summary(Workload.KEEP_ALIVE, 1, true, List.of()).toString()).contains("""
                field report R3      this run          Tomcat           Netty
                requests                8,665          74,989          83,111
                mean                     7 ms        1,601 ms          309 ms
                max                  1,005 ms       20,284 ms          418 ms
                errors                 0.02 %         15.82 %          2.29 %
                throughput               87/s           663/s           748/s
                """);
    }

    @Test
    void failedFindingsBreakTheThresholds() {
        var summary = new Summary(TestRuns.of(Workload.BREAKPOINT, Profile.SHORT),
                new GatlingRun(true, Path.of("run")), log(0, List.of()),
                new Findings(false, List.of("breakpoint: 100/s", "and more")));
        assertThat(summary.kept()).isFalse();
        assertThat(summary.toString()).contains("breakpoint: 100/s\nand more\n\nthresholds: NOT all kept");
    }

    private static Summary summary(Workload workload, long failed, boolean kept, List<Failure> failures) {
        return new Summary(TestRuns.of(workload, Profile.REPORT), new GatlingRun(kept, Path.of("run")),
                log(failed, failures), Findings.NONE);
    }

    private static RunLog log(long failed, List<Failure> failures) {
        return new RunLog(List.of(requests("connect", 105, 0)), requests("all", 8_665, failed),
                Duration.ofSeconds(100), failures);
    }

    private static Requests requests(String name, long count, long failed) {
        return new Requests(name, count, failed, Duration.ofMillis(7), Duration.ofMillis(6),
                Duration.ofMillis(2), Duration.ofMillis(3), Duration.ofMillis(4), Duration.ofMillis(1_005));
    }
}
