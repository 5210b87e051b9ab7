package io.sluice.loadtest.experiments.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.loadtest.BuiltGateway;
import io.sluice.loadtest.experiments.bench.Timing;
import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.driver.AnswerClass;
import io.sluice.loadtest.experiments.driver.Load;
import io.sluice.loadtest.experiments.driver.Request;
import io.sluice.loadtest.experiments.server.OriginServer;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.server.Variant;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every installed proxy passes on the requests of the comparison. Proxies that are not installed are skipped.
 */
@EnabledOnOs(OS.LINUX)
@BuiltGateway.Awaited
class ProxyServersIT {

    private static final Duration A_MOMENT = Duration.ofMillis(300);
    private static Workbench bench;
    private static ProxyServers servers;

    @BeforeAll
    static void start() throws Exception {
        bench = new Workbench(BuiltGateway.jar(), Timing.SHORT, Optional.empty(),
                new PrintStream(OutputStream.nullOutputStream()));
        servers = ProxyServers.start(bench);
    }

    @AfterAll
    static void stop() throws Exception {
        servers.close();
        assertThat(Files.exists(servers.folder())).isFalse();
    }

    static Stream<Variant> proxies() {
        return ProxyServers.ALL.stream();
    }

    @ParameterizedTest
    @MethodSource("proxies")
    void passAnswersAndUploadsOn(Variant variant) throws Exception {
        assumeTrue(ProxyServers.isInstalled(variant));
        try (var server = servers.start(bench, variant, false); var client = HttpClient.newHttpClient()) {
            assertThat(get(server, client, OriginServer.HELLO)).hasSize(13);
            assertThat(get(server, client, OriginServer.TEN_KILOBYTES)).hasSize(10_000);
            assertThat(get(server, client, OriginServer.MEGABYTE)).isEqualTo("x".repeat(1_000_000));
            var uploaded = client.send(HttpRequest.newBuilder(uri(server, OriginServer.UPLOAD))
                    .POST(BodyPublishers.ofByteArray(new byte[1_000_000])).build(), BodyHandlers.ofString());
            assertThat(uploaded.body()).isEqualTo("1000000");
        }
    }

    private static String get(ServerProcess server, HttpClient client, String path) throws Exception {
        return client.send(HttpRequest.newBuilder(uri(server, path)).build(), BodyHandlers.ofString()).body();
    }

    private static URI uri(ServerProcess server, String path) {
        return URI.create("http://127.0.0.1:%d%s".formatted(server.port(), path));
    }

    @ParameterizedTest
    @MethodSource("proxies")
    void tunnelWebSockets(Variant variant) throws Exception {
        assumeTrue(ProxyServers.isInstalled(variant));
        try (var server = servers.start(bench, variant, false);
                var load = Load.echo(server.port(), 4, OriginServer.ECHO, "Hello!")) {
            answers(load);
            assertThat(server.processorTime()).isPositive();
        }
    }

    @ParameterizedTest
    @MethodSource("proxies")
    void speakTls(Variant variant) throws Exception {
        assumeTrue(ProxyServers.isInstalled(variant));
        var request = Request.get("hello", OriginServer.HELLO);
        try (var server = servers.start(bench, variant, true);
                var load = Load.closedTls(server.port(), 4, () -> request)) {
            answers(load);
        }
    }

    /** Waits for answers, and checks that none is an error. */
    private static void answers(Load load) {
        await().atMost(Duration.ofMinutes(1)).until(() -> {
            var answers = load.measure(A_MOMENT).get();
            assertThat(answers.failures()).isZero();
            return answers.count(AnswerClass.OK) > 0;
        });
    }
}
