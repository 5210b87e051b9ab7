package io.sluice.loadtest.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.loadtest.BuiltGateway;
import io.sluice.loadtest.experiments.bench.Timing;
import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.driver.Load;
import io.sluice.loadtest.experiments.driver.Request;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.server.Variant;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@BuiltGateway.Awaited
class PeersIT {

    private static final List<String> PATHS = List.of("hello", "cpu?n=35", "cpu?n=90",
            "cpu-heavy?limit=10000", "latency?ms=50", "mixed", "jdbc?ms=20");
    private static final int USERS = 250;

    private final Workbench bench = new Workbench(
            BuiltGateway.jar(), Timing.SHORT, Optional.empty(),
            new PrintStream(OutputStream.nullOutputStream()));

    @Test
    void answerTheSame() throws Exception {
        try (var peers = Peers.configured(); var client = HttpClient.newHttpClient()) {
            var ours = answers(peers, Peers.OURS, client);
            assertThat(ours.get(1)).isEqualTo("200 application/json {\"n\":35,\"result\":9227465}");
            for (var other : Peers.ALL.subList(1, Peers.ALL.size())) {
                assertThat(answers(peers, other, client)).as(other.name()).isEqualTo(ours);
            }
        }
    }

    private List<String> answers(Peers peers, Variant variant, HttpClient client) throws Exception {
        try (var server = peers.start(bench, variant)) {
            var answers = new String[PATHS.size()];
            for (int n = 0; n < answers.length; n++) {
                answers[n] = answer(server, PATHS.get(n), client);
            }
            return List.of(answers);
        }
    }

    private static String answer(ServerProcess server, String path, HttpClient client)
            throws IOException, InterruptedException {
        var answer = client.send(HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:%d/benchmark/%s".formatted(server.port(), path))).build(),
                HttpResponse.BodyHandlers.ofString());
        // Tomcat writes "text/plain;charset=utf-8".
        var type = answer.headers().firstValue("content-type").orElse("none");
        return answer.statusCode() + " " + type.toLowerCase(Locale.ROOT).replace("; ", ";")
                + " " + answer.body();
    }

    /**
     * 250 concurrent requests make Tomcat start all its 200 platform threads, unless it uses virtual ones.
     */
    @Test
    @EnabledOnOs(OS.LINUX)
    void haveTheThreadsThatTheirNamesSay() throws Exception {
        long virtual = threads(Peers.TOMCAT_VIRTUAL, 0);
        assertThat(threads(Peers.TOMCAT, virtual + 150)).isBetween(virtual + 150, virtual + 210);
    }

    /** Loads a peer until it has at least the awaited number of threads, and returns the number. */
    private long threads(Variant variant, long awaited) throws Exception {
        var request = Request.get("waits", "/benchmark/latency?ms=400");
        try (var peers = Peers.configured();
                var server = peers.start(bench, variant);
                var load = Load.returning(server.port(), USERS, Duration.ofMillis(200), Duration.ZERO,
                        () -> request)) {
            return await().atMost(Duration.ofMinutes(1)).until(() -> {
                assertThat(load.measure(Duration.ofSeconds(1)).get().failures()).isZero();
                return server.threads();
            }, threads -> threads >= awaited);
        }
    }
}
