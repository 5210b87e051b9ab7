package io.sluice.loadtest;

import static io.gatling.javaapi.core.CoreDsl.bodyString;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.nothingFor;
import static io.gatling.javaapi.core.CoreDsl.rampUsers;
import static io.gatling.javaapi.core.CoreDsl.rampUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.OpenInjectionStep;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.time.Duration;
import java.util.List;

/**
 * The Hello simulation of field report R1: {@code GET /benchmark/hello} in an open model, one request
 * per user, every answer checked for status 200 and the body {@code Hello, World!}.
 *
 * <table>
 * <caption>Injection, in order; both populations start together</caption>
 * <tr><th>population</th><th>step</th><th>{@code report}</th><th>{@code short}</th></tr>
 * <tr><td>warm-up</td><td>ramp 5 users</td><td>5 s</td><td>2 s</td></tr>
 * <tr><td></td><td>10/s</td><td>10 s</td><td>3 s</td></tr>
 * <tr><td></td><td>requests</td><td>105</td><td>35</td></tr>
 * <tr><td>load</td><td>wait</td><td>15 s</td><td>5 s</td></tr>
 * <tr><td></td><td>ramp 10 users</td><td>5 s</td><td>2 s</td></tr>
 * <tr><td></td><td>ramp 50 users</td><td>10 s</td><td>3 s</td></tr>
 * <tr><td></td><td>100/s</td><td>30 s</td><td>10 s</td></tr>
 * <tr><td></td><td>100/s to 200/s</td><td>10 s</td><td>3 s</td></tr>
 * <tr><td></td><td>200/s</td><td>20 s</td><td>7 s</td></tr>
 * <tr><td></td><td>requests</td><td>8,560</td><td>2,910</td></tr>
 * <tr><td>both</td><td>time</td><td>90 s</td><td>30 s</td></tr>
 * </table>
 *
 * <p>It holds when no request took 1,000 ms or more and more than 99 % succeeded. Gatling counts the
 * 200 connections per host for resources that a page embeds; with connections shared by all users it
 * opens as many as there are requests in flight.
 */
public final class HelloSimulation extends Simulation {

    private static final String PATH = "/benchmark/hello";

    /** Made by Gatling, in the run that {@link RunSettings#handOver()} prepared. */
    public HelloSimulation() {
        var settings = RunSettings.handedOver();
        setUp(
                population("warm-up", settings, warmUp(settings.profile())),
                population("load", settings, load(settings.profile())))
                .protocols(protocol(settings))
                .assertions(
                        global().responseTime().max().lt(1_000),
                        global().successfulRequests().percent().gt(99.0));
    }

    static List<OpenInjectionStep> warmUp(Profile profile) {
        return switch (profile) {
            case REPORT -> List.of(
                    rampUsers(5).during(seconds(5)),
                    constantUsersPerSec(10).during(seconds(10)));
            case SHORT -> List.of(
                    rampUsers(5).during(seconds(2)),
                    constantUsersPerSec(10).during(seconds(3)));
        };
    }

    static List<OpenInjectionStep> load(Profile profile) {
        return switch (profile) {
            case REPORT -> List.of(
                    nothingFor(seconds(15)),
                    rampUsers(10).during(seconds(5)),
                    rampUsers(50).during(seconds(10)),
                    constantUsersPerSec(100).during(seconds(30)),
                    rampUsersPerSec(100).to(200).during(seconds(10)),
                    constantUsersPerSec(200).during(seconds(20)));
            case SHORT -> List.of(
                    nothingFor(seconds(5)),
                    rampUsers(10).during(seconds(2)),
                    rampUsers(50).during(seconds(3)),
                    constantUsersPerSec(100).during(seconds(10)),
                    rampUsersPerSec(100).to(200).during(seconds(3)),
                    constantUsersPerSec(200).during(seconds(7)));
        };
    }

    private static PopulationBuilder population(
            String name, RunSettings settings, List<OpenInjectionStep> injection) {
        return scenario(name)
                .exec(http(name)
                        .get(settings.at(PATH))
                        .check(status().is(200), bodyString().is("Hello, World!")))
                .injectOpen(injection);
    }

    private static HttpProtocolBuilder protocol(RunSettings settings) {
        return settings.protocol()
                .connectionHeader("keep-alive")
                .shareConnections()
                .maxConnectionsPerHost(200)
                .disableFollowRedirect();
    }

    private static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }
}
