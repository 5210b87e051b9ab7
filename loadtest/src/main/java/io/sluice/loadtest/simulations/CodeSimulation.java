package io.sluice.loadtest.simulations;

import static io.gatling.javaapi.core.CoreDsl.exitHereIfFailed;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.nothingFor;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.ws;

import io.gatling.javaapi.core.OpenInjectionStep;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import java.time.Duration;
import java.util.List;

/**
 * Field report R5: 2,640 users in an open model, on {@code /ws/code}. Each connects with a token, is idle for
 * 3 minutes, has a program run, checks its output and closes. 720 are connected at the same time. A run of an
 * eighth of the length runs programs at the same rate and holds an eighth of the connections.
 *
 * <p>Gatling records only the moment at which a message is passed to the WebSocket: {@code send} counts
 * messages and takes 0 ms by definition, in the field report as here. {@code check result} is the time from
 * then to the reply.
 */
public record CodeSimulation(RunSettings run) implements SimulatedLoad {

    public static final String CONNECT = "connect";
    static final String SEND = "send";
    public static final String CHECK = "check result";
    public static final String CLOSE = "close";

    private static final String PATH = "/ws/code";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Override
    public List<PopulationBuilder> populations() {
        return List.of(users().injectOpen(injection()));
    }

    List<OpenInjectionStep> injection() {
        return List.of(
                nothingFor(run.seconds(60)),
                run.perSecond(4, 600),
                run.perSecond(4, 0, 120));
    }

    private ScenarioBuilder users() {
        return scenario("code")
                .exec(ws(CONNECT).connect(run.webSocketAt(PATH)))
                .exec(exitHereIfFailed())
                .pause(run.seconds(180))
                .exec(ws(SEND).sendText(_ -> Exercise.MESSAGE)
                        .await(PATIENCE).on(ws.checkTextMessage(CHECK).check(
                                jsonPath("$.exitCode").ofInt().is(0),
                                jsonPath("$.stdout").is(Exercise.OUTPUT))))
                .exec(ws(CLOSE).close());
    }
}
