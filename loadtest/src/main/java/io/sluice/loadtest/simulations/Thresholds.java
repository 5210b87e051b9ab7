package io.sluice.loadtest.simulations;

import static io.gatling.javaapi.core.CoreDsl.global;

import io.gatling.javaapi.core.Assertion;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * The limits for all requests of a run together. Each figure has to stay below its limit; an error ratio of 0
 * allows no failure at all.
 */
public record Thresholds(Map<Limit, Double> limits) {

    /** The figures that can be limited, with their names in files. */
    public enum Limit {
        MEAN, P95, P99, MAX, ERROR_RATIO;

        public static Optional<Limit> named(String name) {
            return Stream.of(values()).filter(limit -> limit.toString().equals(name)).findFirst();
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** The thresholds as assertions of Gatling, which checks them and prints the results. */
    public List<Assertion> assertions() {
        return limits.entrySet().stream().sorted(Map.Entry.comparingByKey())
                .map(limit -> assertion(limit.getKey(), limit.getValue()))
                .toList();
    }

    private static Assertion assertion(Limit limit, double value) {
        var time = global().responseTime();
        var millis = (int) value;
        return switch (limit) {
            case MEAN -> time.mean().lt(millis);
            case P95 -> time.percentile(95).lt(millis);
            case P99 -> time.percentile(99).lt(millis);
            case MAX -> time.max().lt(millis);
            case ERROR_RATIO -> value == 0
                    ? global().failedRequests().count().is(0L)
                    : global().failedRequests().percent().lt(value * 100);
        };
    }

    Optional<Duration> p99() {
        return Optional.ofNullable(limits.get(Limit.P99))
                .map(millis -> Duration.ofMillis(millis.longValue()));
    }

    OptionalDouble errorRatio() {
        var ratio = limits.get(Limit.ERROR_RATIO);
        return ratio == null ? OptionalDouble.empty() : OptionalDouble.of(ratio);
    }
}
