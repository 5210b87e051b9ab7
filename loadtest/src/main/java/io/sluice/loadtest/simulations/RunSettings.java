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
 * What a simulation is told.
 *
 * @param url the server
 * @param admin its port for operators, where its metrics are
 * @param length how long users come; what takes a while in the field report takes as much more or less as
 *        this is longer or shorter
 * @param token sent with every request, {@code Authorization: Bearer TOKEN}, where there is one
 */
public record RunSettings(Workload workload, URI url, URI admin, Duration length, Thresholds thresholds,
        Optional<String> token) {

    /** So many seconds of the field report, in this run. */
    Duration seconds(double reported) {
        return Duration.ofNanos(Math.round(reported * 1e9 * scale()));
    }

    /** So many users, evenly within so many seconds of the field report. */
    OpenInjectionStep ramp(int users, double reported) {
        return rampUsers(users).during(wholeSeconds(seconds(reported)));
    }

    /** So many users a second for so many seconds of the field report. */
    OpenInjectionStep perSecond(double rate, double reported) {
        return constantUsersPerSec(rate).during(wholeSeconds(seconds(reported)));
    }

    /** Users a second, from one rate evenly to another, for so many seconds of the field report. */
    OpenInjectionStep perSecond(double from, double to, double reported) {
        return rampUsersPerSec(from).to(to).during(wholeSeconds(seconds(reported)));
    }

    /** Gatling injects for whole seconds only: of others it drops users, or waits for those it dropped. */
    static Duration wholeSeconds(Duration length) {
        return Duration.ofSeconds(Math.max(1, Math.round(length.toMillis() / 1_000.0)));
    }

    /** So many connections of the field report, in this run: fewer where it is shorter, but never more. */
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

    /** The run in a few words: what, for how long and against whom. */
    @Override
    public String toString() {
        return "%s (%s) on %s".formatted(workload, TimeSpan.text(length), url);
    }

    /** What all simulations have in common: no request that they did not ask for, and the token. */
    HttpProtocolBuilder protocol() {
        var plain = http.disableWarmUp();
        return token.map(value -> plain.authorizationHeader("Bearer " + value)).orElse(plain);
    }
}
