package io.sluice.loadtest.simulations;

import static io.gatling.javaapi.core.CoreDsl.bodyString;
import static io.gatling.javaapi.core.CoreDsl.during;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.exitHereIfFailed;
import static io.gatling.javaapi.core.CoreDsl.pace;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.ws;

import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import java.time.Duration;
import java.util.List;

/**
 * WebSocket echo: 100 users connect to {@code /ws/echo} within 10 s. Each sends a text every 50 ms, together
 * 2,000 per second, for 60 s, and closes.
 *
 * <p>In Gatling's figures, {@code send} takes 0 ms by definition, and {@code echo} is the time from sending
 * to the reply.
 */
record WebSocketEchoSimulation(RunSettings run) implements SimulatedLoad {

    private static final String PATH = "/ws/echo";
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    @Override
    public List<PopulationBuilder> populations() {
        return List.of(users(run, Duration.ofMillis(50), run.seconds(60))
                .injectOpen(run.ramp(100, 10)));
    }

    /** Users who send a text every {@code gap} for as long as {@code echoing}. */
    static ScenarioBuilder users(RunSettings run, Duration gap, Duration echoing) {
        var text = "Hello, WebSocket!";
        var echo = ws("send").sendText(text)
                .await(PATIENCE).on(ws.checkTextMessage("echo").check(bodyString().is(text)));
        return scenario("ws-echo")
                .exec(ws("connect").connect(run.webSocketAt(PATH)))
                .exec(exitHereIfFailed())
                .exec(during(echoing).on(pace(gap), exec(echo), exitHereIfFailed()))
                .exec(ws("close").close());
    }
}
