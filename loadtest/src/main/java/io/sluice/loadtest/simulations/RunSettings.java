package io.sluice.loadtest.simulations;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.rampUsers;
import static io.gatling.javaapi.core.CoreDsl.rampUsersPerSec;
import static io.gatling.javaapi.http.HttpDsl.http;

import io.gatling.javaapi.core.OpenInjectionStep;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings of a run.
 *
 * @param url the server
 * @param admin its admin port, which serves its metrics
 * @param length for how long users arrive; durations of the field report are scaled by the same factor
 * @param token sent with every request as {@code Authorization: Bearer TOKEN}, if there is one
 */
public record RunSettings(Workload workload, URI url, URI admin, Duration length, Thresholds thresholds,
        Optional<String> token) {

    /** Scales a duration of the field report, in seconds, to this run. */
    Duration seconds(double reported) {
        return Duration.ofNanos(Math.round(reported * 1e9 * scale()));
    }

    /** A number of users who arrive evenly within a duration of the field report, in seconds. */
    OpenInjectionStep ramp(int users, double reported) {
        return rampUsers(users).during(wholeSeconds(seconds(reported)));
    }

    /** A constant arrival rate in users per second, for a duration of the field report, in seconds. */
    OpenInjectionStep perSecond(double rate, double reported) {
        return constantUsersPerSec(rate).during(wholeSeconds(seconds(reported)));
    }

    /**
     * An arrival rate that changes evenly, in users per second, for a duration of the field report, in
     * seconds.
     */
    OpenInjectionStep perSecond(double from, double to, double reported) {
        return rampUsersPerSec(from).to(to).during(wholeSeconds(seconds(reported)));
    }

    /**
     * Rounds to whole seconds. With fractions, Gatling drops users, or waits for users that it has dropped.
     */
    static Duration wholeSeconds(Duration length) {
        return Duration.ofSeconds(Math.max(1, Math.round(length.toMillis() / 1_000.0)));
    }

    /**
     * Scales a number of connections of the field report to this run: fewer in shorter runs, but never more.
     */
    int atMost(int reported) {
        return (int) Math.ceil(reported * Math.min(1, scale()));
    }

    private double scale() {
        return (double) length.toMillis() / workload.length(Profile.REPORT).toMillis();
    }

    /** The absolute URL of a path that starts with a slash. */
    public String at(String path) {
        return url.resolve(path).toString();
    }

    /** The absolute WebSocket URL, {@code ws:} or {@code wss:}, of a path that starts with a slash. */
    public String webSocketAt(String path) {
        return at(path).replaceFirst("(?i)^https:", "wss:").replaceFirst("(?i)^http:", "ws:");
    }

    /** A short description of the run: the workload, its length and the server. */
    @Override
    public String toString() {
        return "%s (%s) on %s".formatted(workload, TimeSpan.text(length), url);
    }

    /** The common protocol settings of all simulations: no implicit requests, and the token. */
    HttpProtocolBuilder protocol() {
        var plain = http.disableWarmUp();
        return token.map(value -> plain.authorizationHeader("Bearer " + value)).orElse(plain);
    }
}
