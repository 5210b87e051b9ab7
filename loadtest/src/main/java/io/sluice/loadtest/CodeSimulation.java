package io.sluice.loadtest;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.exitHereIfFailed;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.nothingFor;
import static io.gatling.javaapi.core.CoreDsl.rampUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.ws;

import io.gatling.javaapi.core.OpenInjectionStep;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;
import java.util.List;

/**
 * Field report R5: users who connect with a token, are idle, have a program run, look at what it printed
 * and close; in an open model, on {@code /ws/code}.
 *
 * <table>
 * <caption>Injection, in order</caption>
 * <tr><th>step</th><th>{@code report}</th><th>{@code short}: an eighth of the time</th></tr>
 * <tr><td>nothing</td><td>60 s</td><td>7.5 s</td></tr>
 * <tr><td>4 users/s</td><td>600 s</td><td>75 s</td></tr>
 * <tr><td>4/s to 0/s</td><td>120 s</td><td>15 s</td></tr>
 * <tr><td>users</td><td>2,640</td><td>330</td></tr>
 * <tr><td>each idle for</td><td>180 s</td><td>22.5 s</td></tr>
 * <tr><td>connected at once</td><td>720</td><td>90</td></tr>
 * <tr><td>time, until the last has closed</td><td>16 min</td><td>2 min</td></tr>
 * </table>
 *
 * <p>So the short one runs programs as often as the long one and holds an eighth of the sockets.
 *
 * <p>Gatling notes the moment at which it hands a message to the socket, and no end: {@code send} counts
 * messages and takes 0 ms by definition, in the field report as here. {@code check result} is the time from
 * then to the answer. It holds when no step of any user failed.
 */
public final class CodeSimulation extends Simulation {

    static final String CONNECT = "connect";
    static final String SEND = "send";
    static final String CHECK = "check result";
    static final String CLOSE = "close";

    private static final String PATH = "/ws/code";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Made by Gatling, in the run that {@link RunSettings#handOver()} prepared. */
    public CodeSimulation() {
        var settings = RunSettings.handedOver();
        setUp(users(settings, idle(settings.profile())).injectOpen(injection(settings.profile())))
                .protocols(settings.protocol())
                .assertions(global().failedRequests().count().is(0L));
    }

    static Duration idle(Profile profile) {
        return scaled(profile, Duration.ofMinutes(3));
    }

    static List<OpenInjectionStep> injection(Profile profile) {
        return List.of(
                nothingFor(scaled(profile, Duration.ofMinutes(1))),
                constantUsersPerSec(4).during(scaled(profile, Duration.ofMinutes(10))),
                rampUsersPerSec(4).to(0).during(scaled(profile, Duration.ofMinutes(2))));
    }

    static ScenarioBuilder users(RunSettings settings, Duration idle) {
        return scenario("code")
                .exec(ws(CONNECT).connect(settings.webSocketAt(PATH)))
                .exec(exitHereIfFailed())
                .pause(idle)
                .exec(ws(SEND).sendText(_ -> Exercise.MESSAGE)
                        .await(PATIENCE).on(ws.checkTextMessage(CHECK).check(
                                jsonPath("$.exitCode").ofInt().is(0),
                                jsonPath("$.stdout").is(Exercise.OUTPUT))))
                .exec(ws(CLOSE).close());
    }

    private static Duration scaled(Profile profile, Duration reported) {
        return switch (profile) {
            case REPORT -> reported;
            case SHORT -> reported.dividedBy(8);
        };
    }
}
