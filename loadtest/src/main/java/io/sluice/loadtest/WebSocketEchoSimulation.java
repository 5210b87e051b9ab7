package io.sluice.loadtest;

import static io.gatling.javaapi.core.CoreDsl.bodyString;
import static io.gatling.javaapi.core.CoreDsl.during;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.exitHereIfFailed;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.pace;
import static io.gatling.javaapi.core.CoreDsl.rampUsers;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.ws;

import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;

/**
 * Texts that come back: 100 users connect to {@code /ws/echo}, within 10 s ({@code short}: 2 s); each sends
 * a text every 50 ms, together 2,000 a second, for 60 s ({@code short}: 10 s), and closes.
 *
 * <p>As Gatling counts, {@code send} takes 0 ms by definition and {@code echo} is the time from sending to
 * the answer. It holds when no step of any user failed.
 */
public final class WebSocketEchoSimulation extends Simulation {

    private static final String PATH = "/ws/echo";
    private static final int USERS = 100;
    private static final Duration GAP = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Made by Gatling, in the run that {@link RunSettings#handOver()} prepared. */
    public WebSocketEchoSimulation() {
        var settings = RunSettings.handedOver();
        var connecting = switch (settings.profile()) {
            case REPORT -> Duration.ofSeconds(10);
            case SHORT -> Duration.ofSeconds(2);
        };
        var echoing = switch (settings.profile()) {
            case REPORT -> Duration.ofSeconds(60);
            case SHORT -> Duration.ofSeconds(10);
        };
        setUp(users(settings, echoing).injectOpen(rampUsers(USERS).during(connecting)))
                .protocols(settings.protocol())
                .assertions(global().failedRequests().count().is(0L));
    }

    static ScenarioBuilder users(RunSettings settings, Duration echoing) {
        var text = "Hello, WebSocket!";
        var echo = ws("send").sendText(text)
                .await(PATIENCE).on(ws.checkTextMessage("echo").check(bodyString().is(text)));
        return scenario("ws-echo")
                .exec(ws("connect").connect(settings.webSocketAt(PATH)))
                .exec(exitHereIfFailed())
                .exec(during(echoing).on(pace(GAP), exec(echo), exitHereIfFailed()))
                .exec(ws("close").close());
    }
}
