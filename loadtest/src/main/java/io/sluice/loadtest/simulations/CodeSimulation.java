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
 * Field report R5: 2,640 users who connect with a token, are idle for 3 minutes, have a program run, look
 * at what it printed and close; in an open model, on {@code /ws/code}. 720 are connected at once. A run of
 * an eighth of the time has programs run as often and holds an eighth of the sockets.
 *
 * <p>Gatling notes the moment at which it hands a message to the socket, and no end: {@code send} counts
 * messages and takes 0 ms by definition, in the field report as here. {@code check result} is the time from
 * then to the answer.
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
