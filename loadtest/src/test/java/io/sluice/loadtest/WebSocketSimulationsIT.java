package io.sluice.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.loadtest.RunLog.Requests;
import io.sluice.loadtest.simulations.CodeServer;
import io.sluice.loadtest.simulations.RunSettings;
import io.sluice.loadtest.simulations.Workload;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A few users of field report R5, against a server with a fixed result. */
class WebSocketSimulationsIT {

    @TempDir
    private Path results;

    @Test
    void reportsEachStepOfAUserApart() throws Exception {
        var log = run("secret");
        assertThat(log.requests()).extracting(Requests::name)
                .containsExactly("connect", "send", "check result", "close");
        assertThat(log.requests()).allSatisfy(step -> {
            assertThat(step.count()).isEqualTo(6);
            assertThat(step.failed()).isZero();
        });
        assertThat(log.named("check result").p50()).isGreaterThanOrEqualTo(CodeServer.RUN_TIME);
        assertThat(log.named("send").max()).isZero();
    }

    @Test
    void endsWhereTheTokenIsNotTheRightOne() throws Exception {
        var log = run("guess");
        assertThat(log.requests()).extracting(Requests::name).containsExactly("connect");
        assertThat(log.named("connect").failed()).isEqualTo(6);
    }

    private RunLog run(String token) throws Exception {
        try (var server = new CodeServer("secret")) {
            var url = URI.create("http://127.0.0.1:" + server.port());
            var settings = new RunSettings(Workload.CODE, url, url, Duration.ofSeconds(1),
                    ThresholdsFile.builtIn().of(Workload.CODE).orElseThrow(), Optional.of(token));
            return RunLog.read(GatlingRun.of(Workload.CODE.load(settings), settings, results).folder());
        }
    }
}
