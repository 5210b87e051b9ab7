package io.sluice.loadtest.simulations;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.nothingFor;
import static io.gatling.javaapi.core.CoreDsl.responseTimeInMillis;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.core.CoreDsl.stopLoadGeneratorIf;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.Assertion;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Increases the arrival rate of field report R4's query in steps of 100/s, up to 2,000/s. It ends at the
 * first step at which more requests fail, or exceed the limit of the 99th percentile, than the thresholds
 * allow.
 */
final class BreakpointSimulation implements SimulatedLoad {

    private static final String PATH = "/benchmark/jdbc?ms=20";
    private static final int STAIRS = 20;
    private static final int STEP = 100;
    /** The timeout of requests; short, so that a run ends soon after a server hangs. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String TOOK = "took";

    private final RunSettings settings;
    private final Duration length;
    private final List<Stair> stairs;

    BreakpointSimulation(RunSettings settings) {
        this.settings = settings;
        length = RunSettings.wholeSeconds(settings.length().dividedBy(STAIRS));
        stairs = IntStream.rangeClosed(1, STAIRS)
                .mapToObj(n -> new Stair(n * STEP, length, settings.thresholds()))
                .toList();
    }

    @Override
    public List<PopulationBuilder> populations() {
        return IntStream.range(0, STAIRS).mapToObj(this::population).toList();
    }

    private PopulationBuilder population(int index) {
        var stair = stairs.get(index);
        return scenario(stair.name())
                .exec(http(stair.name()).get(settings.at(PATH)).requestTimeout(PATIENCE)
                        .check(status().is(200), responseTimeInMillis().saveAs(TOOK)))
                .exec(session -> noted(stair, session))
                .exec(stopLoadGeneratorIf("more than the thresholds allow", _ -> stair.isBroken()))
                .injectOpen(
                        nothingFor(length.multipliedBy(index)),
                        constantUsersPerSec(stair.rate()).during(length));
    }

    private static Session noted(Stair stair, Session session) {
        if (session.isFailed()) {
            stair.failed();
        } else {
            stair.answered(Duration.ofMillis(session.getInt(TOOK)));
        }
        return session;
    }

    @Override
    public HttpProtocolBuilder protocol(HttpProtocolBuilder common) {
        return common.connectionHeader("keep-alive").shareConnections().disableFollowRedirect();
    }

    /** None: the last step is meant to fail. */
    @Override
    public List<Assertion> assertions(Thresholds thresholds) {
        return List.of();
    }

    /** The step at which the server failed; the run succeeds if at least one step was sustained. */
    @Override
    public Findings findings() {
        var broken = IntStream.range(0, STAIRS).filter(n -> stairs.get(n).isBroken()).findFirst();
        if (broken.isEmpty()) {
            return new Findings(true, List.of("breakpoint: none up to " + stairs.getLast().name()));
        }
        var first = broken.getAsInt();
        return new Findings(first > 0, List.of("breakpoint: %s (%s); the last that was kept: %s".formatted(
                stairs.get(first).name(), stairs.get(first).why(),
                first > 0 ? stairs.get(first - 1).name() : "none")));
    }
}
