package io.sluice.loadtest;

import io.gatling.charts.stats.CountsVsTimePlot;
import io.gatling.charts.stats.GeneralStats;
import io.gatling.charts.stats.Group;
import io.gatling.charts.stats.LogFileData;
import io.gatling.charts.stats.LogFileReader;
import io.gatling.charts.stats.RequestStatsPath;
import io.gatling.core.config.GatlingConfiguration;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The contents of a run's {@code simulation.log}, read with the reader of Gatling's own report (the log is
 * binary, and Gatling writes no JSON).
 *
 * @param requests one entry per request name, in the order of their first appearance
 * @param all all requests together
 * @param busy the time from the first request to the last response, to a second
 * @param failures the reasons of failures, the most frequent first
 */
record RunLog(List<Requests> requests, Requests all, Duration busy, List<Failure> failures) {

    /** The requests of one name: their number, how many of them failed, and their response times. */
    record Requests(String name, long count, long failed, Duration mean, Duration deviation,
            Duration p50, Duration p95, Duration p99, Duration max) {

        private static Requests none(String name) {
            return new Requests(name, 0, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO,
                    Duration.ZERO, Duration.ZERO);
        }

        /** The percentage of successful requests, truncated: 100.0 % only if none failed. */
        String success() {
            if (count == 0) {
                return "none sent";
            }
            var tenths = (count - failed) * 1_000 / count;
            return String.format(Locale.ROOT, "%d.%d %%", tenths / 10, tenths % 10);
        }

        /** The percentage of failed requests, rounded up: 0.00 % only if none failed. */
        String failure() {
            if (count == 0) {
                return "none sent";
            }
            var hundredths = (failed * 10_000 + count - 1) / count;
            return String.format(Locale.ROOT, "%d.%02d %%", hundredths / 100, hundredths % 100);
        }
    }

    /** A reason of failures, and the number of requests that failed for it. */
    record Failure(String reason, long count) {}

    /** The requests of one name; without any if there is no such name. */
    Requests named(String name) {
        return requests.stream().filter(found -> found.name().equals(name)).findFirst()
                .orElseGet(() -> Requests.none(name));
    }

    static RunLog read(Path folder) {
        var data = LogFileReader
                .apply(folder.getFileName().toString(), folder.getParent(), GatlingConfiguration.load())
                .read();
        var requests = new ArrayList<Requests>();
        for (var path : CollectionConverters.asJava(data.statsPaths())) {
            if (path instanceof RequestStatsPath named) {
                requests.add(requests(data, named.request(), Option.apply(named.request())));
            }
        }
        var failures = CollectionConverters.asJava(data.errors(Option.empty(), Option.empty())).stream()
                .map(error -> new Failure(error.message(), error.count()))
                .toList();
        return new RunLog(List.copyOf(requests), requests(data, "all", Option.empty()), busy(data), failures);
    }

    private static Duration busy(LogFileData data) {
        var none = Option.<Group>empty();
        var sent = CollectionConverters.asJava(data.numberOfRequestsPerSecond(Option.empty(), none));
        var answered = CollectionConverters.asJava(data.numberOfResponsesPerSecond(Option.empty(), none));
        var first = sent.stream().filter(RunLog::some).mapToInt(CountsVsTimePlot::time).min().orElse(0);
        var last = answered.stream().filter(RunLog::some).mapToInt(CountsVsTimePlot::time).max()
                .orElse(first);
        return Duration.ofMillis(last - first);
    }

    private static boolean some(CountsVsTimePlot bucket) {
        return bucket.oks() + bucket.kos() > 0;
    }

    private static Requests requests(LogFileData data, String label, Option<String> name) {
        var found = data.requestGeneralStats(name, Option.<Group>empty(), Option.empty());
        if (found.isEmpty()) {
            return Requests.none(label);
        }
        var stats = found.get();
        var failed = data.numberOfRequestInResponseTimeRanges(name, Option.empty()).koCount();
        return new Requests(label, stats.count(), failed, Duration.ofMillis(stats.mean()),
                Duration.ofMillis(stats.stdDev()), percentile(stats, 50), percentile(stats, 95),
                percentile(stats, 99), Duration.ofMillis(stats.max()));
    }

    private static Duration percentile(GeneralStats stats, double percent) {
        return Duration.ofMillis((Integer) stats.percentile().apply(percent));
    }
}
