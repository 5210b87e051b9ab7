package io.sluice.gateway.offload;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RunningGateway;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Contract of queries whose client disconnects: they are cancelled, whatever the client has sent ahead. */
abstract class CancelledQueriesContract {
    static final int WORKERS = 20;
    private static final int CLIENTS = 80;
    private static final String SLEEP = "GET /sleep HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String UPLOAD = "POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n"
            + "a".repeat(200_000);

    @Parameter
    PoolKind kind;
    RunningGateway gateway;
    PoolScrape pool;

    /** The further requests that a client has sent behind the one in progress. */
    enum Behind {
        NOTHING(0), ONE_REQUEST(1), THIRTY_KIB(30 * 1024 / SLEEP.length());

        private final int requests;

        Behind(int requests) {
            this.requests = requests;
        }

        String after(String request) {
            return request + SLEEP.repeat(requests);
        }
    }

    /**
     * Returns HOCON with the database {@code main} and three routes: {@code /sleep}, a statement of 30 s;
     * {@code /session}, which returns its session's number after a moment; and {@code /quick}.
     */
    abstract String ownConfig();

    /** Returns the number of running statements of these routes. */
    abstract int running();

    static Stream<Arguments> waysToGo() {
        return Stream.of(
                Arguments.of(Behind.NOTHING, HangUp.CLOSE),
                Arguments.of(Behind.NOTHING, HangUp.SHUT_OUTPUT),
                Arguments.of(Behind.ONE_REQUEST, HangUp.CLOSE),
                Arguments.of(Behind.THIRTY_KIB, HangUp.RESET));
    }

    @BeforeEach
    void start() {
        gateway = RunningGateway.start("""
                sluice.log.access = off
                sluice.server.timeouts.stall = 10m
                sluice.offload.pools.main { workers = %d, queue-limit = 1000, deadline = 10m, %s
                  client-share = 100%%, client-grace = 10m }
                sluice.databases.main { pool = main, connection-timeout = 20s }
                sluice.route-defaults.deadline = 10m
                sluice.routes.upload { path = "/upload", handler = echo }
                sluice.handler-defaults.query { database = main, row-limit = 1000000 }
                """.formatted(WORKERS, kind.setting()) + ownConfig());
        pool = new PoolScrape(gateway.adminPort(), "main");
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    @ParameterizedTest
    @MethodSource("waysToGo")
    void aCrowdThatHangsUpAtOnceTakesItsQueriesWithIt(Behind behind, HangUp how) throws Exception {
        try (var crowd = new Crowd(gateway.port(), CLIENTS)) {
            crowd.ask(behind.after(SLEEP));
            awaitAllAtWorkOrQueued();

            crowd.hangUp(how);
            assertFreeSoon(CLIENTS);
        }
        assertEveryConnectionWorks();
    }

    /** After large reads the next read buffers are large, too, though little arrives. */
    @Test
    void aCrowdThatUploadedMuchBeforeTakesItsQueriesWithIt() throws Exception {
        try (var crowd = new Crowd(gateway.port(), CLIENTS)) {
            crowd.ask(UPLOAD);
            assertThat(crowd.read()).allMatch(answer -> answer.status() == 200);
            crowd.ask(SLEEP);
            for (int i = 0; i < 6; i++) {
                awaitAllAtWorkOrQueued();
                crowd.ask(SLEEP);
            }

            crowd.hangUp(HangUp.CLOSE);
            assertFreeSoon(CLIENTS);
        }
        assertEveryConnectionWorks();
    }

    private void awaitAllAtWorkOrQueued() {
        await().pollInterval(ofMillis(20)).until(() ->
                running() == WORKERS && pool.busy() == WORKERS
                && pool.queued() == CLIENTS - WORKERS);
    }

    /**
     * Checks that all of the given tasks are cancelled soon. By themselves the statements would run for
     * minutes.
     */
    final void assertFreeSoon(int tasks) {
        await("no statement runs").until(() -> running() == 0);
        await("no worker is busy and no task queued").until(pool::isIdle);
        assertThat(pool.cancelled()).as("tasks cancelled").isEqualTo(tasks);
        assertThat(pool.cancelledAtWork()).as("of them at work").isBetween(WORKERS, tasks);
    }

    final void assertEveryConnectionWorks() throws IOException, InterruptedException {
        await().untilAsserted(() -> assertThat(allAtOnce("/session", WORKERS))
                .as("sessions that answered at once").doesNotHaveDuplicates());
        assertThat(allAtOnce("/quick", CLIENTS)).containsOnly("[{\"ok\":1}]");
        assertThat(running()).isZero();
    }

    private List<String> allAtOnce(String target, int times) {
        var answers = IntStream.range(0, times).mapToObj(_ -> gateway.client().sendAsync(
                gateway.request(target).build(), HttpResponse.BodyHandlers.ofString())).toList();
        return answers.stream().map(CompletableFuture::join).map(answer -> {
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            return answer.body();
        }).toList();
    }
}
