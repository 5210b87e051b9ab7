package io.sluice.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.loadtest.RunLog.Failure;
import io.sluice.loadtest.RunLog.Requests;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SummaryTest {

    @Test
    void putsTheReportsOwnRatesBesideTheMeasuredOne() {
        assertThat(summary(0, 0, List.of())).hasToString("""

                hello (report) on http://localhost:8080

                            requests        ok    failed     mean      p50      p95      p99      max
                warm-up          105       105         0     7 ms     2 ms     3 ms     4 ms     5 ms
                all            8,665     8,665         0     7 ms     2 ms     3 ms     4 ms     5 ms

                success rate
                this run                   100.0 %
                R1 hybrid + platform        83.9 %
                R1 hybrid + virtual         87.0 %
                R1 nio + platform           82.0 %
                R1 nio + virtual            69.0 %

                assertions: all hold
                report: run/index.html
                """);
    }

    @Test
    void isNotAllWhenOneFailed() {
        assertThat(summary(1, 2, List.of(new Failure("Premature close", 1))).toString())
                .contains("8,664         1 ", "this run                    99.9 %",
                        "1 failed, for these reasons", "       1  Premature close",
                        "assertions: NOT all hold");
    }

    @Test
    void tellsTheFiveMostFrequentReasons() {
        var failures = IntStream.range(0, 7).mapToObj(n -> new Failure("reason " + n, 7 - n)).toList();
        assertThat(summary(28, 2, failures).toString())
                .contains("reason 4", "and 2 reasons more").doesNotContain("reason 5");
    }

    private static Summary summary(long failed, int exitCode, List<Failure> failures) {
        return new Summary(Workload.HELLO,
                new RunSettings(URI.create("http://localhost:8080"), Profile.REPORT),
                new GatlingRun(exitCode, Path.of("run")),
                new RunLog(List.of(requests("warm-up", 105, 0)), requests("all", 8_665, failed), failures));
    }

    private static Requests requests(String name, long count, long failed) {
        return new Requests(name, count, failed, Duration.ofMillis(7), Duration.ofMillis(2),
                Duration.ofMillis(3), Duration.ofMillis(4), Duration.ofMillis(5));
    }
}
