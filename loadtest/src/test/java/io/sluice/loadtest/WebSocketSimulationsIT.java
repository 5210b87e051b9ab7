package io.sluice.loadtest;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatling.javaapi.core.Simulation;
import io.sluice.loadtest.RunLog.Requests;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The simulations' users, a few of them, against a server that knows what they want. */
class WebSocketSimulationsIT {

    private static final Duration IDLE = Duration.ofMillis(200);

    @TempDir
    private Path results;

    @Test
    void reportsEachStepOfAUserApart() throws Exception {
        var log = run(CodeUsers.class, "secret");
        assertThat(log.requests()).extracting(Requests::name)
                .containsExactly("connect", "send", "check result", "close");
        assertThat(log.requests()).allSatisfy(step -> {
            assertThat(step.count()).isEqualTo(3);
            assertThat(step.failed()).isZero();
        });
        assertThat(log.named("check result").p50()).isGreaterThanOrEqualTo(CodeServer.RUN_TIME);
        assertThat(log.named("send").max()).isZero();
    }

    @Test
    void endsWhereTheTokenIsNotTheRightOne() throws Exception {
        var log = run(CodeUsers.class, "guess");
        assertThat(log.requests()).extracting(Requests::name).containsExactly("connect");
        assertThat(log.named("connect").failed()).isEqualTo(3);
    }

    @Test
    void echoesForAWhile() throws Exception {
        var log = run(EchoUsers.class, "secret");
        assertThat(log.requests()).extracting(Requests::name)
                .containsExactly("connect", "send", "echo", "close");
        assertThat(log.all().failed()).isZero();
        assertThat(log.named("echo").count()).isGreaterThan(3).isEqualTo(log.named("send").count());
    }

    private RunLog run(Class<? extends Simulation> simulation, String token) throws Exception {
        try (var server = new CodeServer("secret")) {
            new RunSettings(URI.create("http://127.0.0.1:" + server.port()), Profile.SHORT,
                    Optional.of(token)).handOver();
            return RunLog.read(GatlingRun.of(simulation, results).folder());
        }
    }

    /** Three users of {@link CodeSimulation} who are idle for a moment only. */
    public static final class CodeUsers extends Simulation {

        {
            var settings = RunSettings.handedOver();
            setUp(CodeSimulation.users(settings, IDLE).injectOpen(atOnceUsers(3)))
                    .protocols(settings.protocol());
        }
    }

    /** Three users of {@link WebSocketEchoSimulation}. */
    public static final class EchoUsers extends Simulation {

        {
            var settings = RunSettings.handedOver();
            setUp(WebSocketEchoSimulation.users(settings, IDLE.multipliedBy(3)).injectOpen(atOnceUsers(3)))
                    .protocols(settings.protocol());
        }
    }
}
