package io.sluice.gateway.offload;

import static eu.rekawek.toxiproxy.model.ToxicDirection.DOWNSTREAM;
import static eu.rekawek.toxiproxy.model.ToxicDirection.UPSTREAM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import eu.rekawek.toxiproxy.Proxy;
import io.sluice.gateway.Containers;
import io.sluice.gateway.RawClient.Answer;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.offload.SteadyClient.Answered;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults of the network between the gateway and PostgreSQL, caused by toxiproxy. */
class ToxiproxyIT {
    private static final int WORKERS = 4;
    /** Far below the second within which a connection has to prove valid, also on a busy machine. */
    private static final int LATENCY_MILLIS = 250;
    private static final int DEADLINE_MILLIS = 1500;
    private static BadNetwork network;

    private RunningGateway gateway;
    private PoolScrape pool;
    private SteadyClient hello;

    /** Kinds of network failures. */
    enum Trouble {
        /** Connections are reset, new ones as well. */
        RESET {
            @Override
            void begin(Proxy proxy) throws IOException {
                proxy.toxics().resetPeer("reset", DOWNSTREAM, 0);
            }
        },
        /** No bytes pass, and no connection ends. */
        SILENCE {
            @Override
            void begin(Proxy proxy) throws IOException {
                proxy.toxics().timeout("to the database", UPSTREAM, 0);
                proxy.toxics().timeout("from the database", DOWNSTREAM, 0);
            }
        },
        /** The port is closed. */
        DOWN {
            @Override
            void begin(Proxy proxy) throws IOException {
                proxy.disable();
            }
        };

        abstract void begin(Proxy proxy) throws IOException;
    }

    @BeforeAll
    static void startContainers() {
        network = Containers.startOrSkip(BadNetwork::new);
    }

    @AfterAll
    static void stopContainers() {
        if (network != null) {
            network.close();
        }
    }

    @BeforeEach
    void start() {
        gateway = RunningGateway.start(network.config("main") + """
                sluice.log.access = off
                sluice.offload.pools.main { workers = %d, deadline = %dms }
                sluice.databases.main { pool = main, connection-timeout = 1s }
                sluice.handler-defaults.query.database = main
                sluice.routes {
                  hello { path = "/hello", handler = text, text = hi }
                  quick { path = "/quick", handler = query, sql = "SELECT 1 AS ok" }
                  sleep {
                    path = "/sleep", handler = query, sql = "SELECT /*toxic*/ 1 AS ok FROM pg_sleep(600)"
                  }
                  session {
                    path = "/session", handler = query
                    sql = "SELECT pg_backend_pid() AS session FROM pg_sleep(0.2)"
                  }
                }
                """.formatted(WORKERS, DEADLINE_MILLIS));
        pool = new PoolScrape(gateway.adminPort(), "main");
        // If the first login is late, HikariCP fills its pool half a minute later.
        await().atMost(Duration.ofMinutes(2)).until(() -> pool.connections() == WORKERS);
        hello = new SteadyClient(gateway.port(), "/hello", 1);
    }

    @AfterEach
    void stop() throws IOException {
        network.heal();
        hello.close();
        gateway.close();
    }

    @ParameterizedTest
    @EnumSource
    void requestsFailFastDuringAnOutageAndRecoverSoon(Trouble trouble) throws Exception {
        try (var quick = new SteadyClient(gateway.port(), "/quick", 2);
                var atWork = new Crowd(gateway.port(), WORKERS - 1)) {
            atWork.ask(get("/sleep"));
            await().until(() -> pool.busy() >= WORKERS - 1);

            long begin = System.nanoTime();
            trouble.begin(network.proxy());
            await().until(() -> gateway.getAdmin("/readyz").statusCode() == 503);
            long noticed = System.nanoTime();
            assertThat(gateway.getAdmin("/readyz").body()).contains("\"main\":false");
            assertThat(atWork.read()).extracting(Answer::status).isSubsetOf(503, 504);
            await().until(() -> pool.busy() == 0);
            await().until(() -> quick.between(noticed, System.nanoTime()).size() > 50);
            long end = System.nanoTime();
            network.heal();

            await().until(this::everyConnectionWorks);
            long back = System.nanoTime();
            assertThat(gateway.getAdmin("/readyz").statusCode()).isEqualTo(200);
            await().until(() -> quick.between(back, System.nanoTime()).size() > 10);
            assertThat(quick.between(back, System.nanoTime())).extracting(Answered::status).containsOnly(200);
            assertThat(quick.between(begin, end)).as("every request is answered").allMatch(
                    answer -> answer.status() != 0);
            assertThat(quick.between(noticed, end)).as("answers while the outage is known").allMatch(
                    answer -> answer.status() == 503 && answer.retryAfter());
            assertHelloWasAnsweredSince(begin);
        }
    }

    /** Returns whether concurrent requests get as many different sessions as there are workers. */
    private boolean everyConnectionWorks() throws IOException {
        try (var crowd = new Crowd(gateway.port(), WORKERS)) {
            crowd.ask(get("/session"));
            List<Answer> answers = crowd.read();
            return answers.stream().allMatch(answer -> answer.status() == 200)
                    && answers.stream().map(Answer::body).distinct().count() == WORKERS;
        }
    }

    @Test
    void slowDatabaseStaysReadyAndDelaysNoOtherRoute() throws Exception {
        long begin = System.nanoTime();
        network.proxy().toxics().latency("latency", DOWNSTREAM, LATENCY_MILLIS);
        for (int i = 0; i < 2; i++) {
            await("answers within the deadline").until(this::allAreAnsweredAtOnce);
        }

        assertSlowRequestsAreCancelled();
        assertExcessIsRefused();

        assertThat(gateway.getAdmin("/readyz").statusCode()).isEqualTo(200);
        network.heal();
        await().until(this::everyConnectionWorks);
        assertHelloWasAnsweredSince(begin);
    }

    private boolean allAreAnsweredAtOnce() throws IOException {
        try (var crowd = new Crowd(gateway.port(), WORKERS)) {
            crowd.ask(get("/quick"));
            return crowd.read().stream().allMatch(answer -> answer.status() == 200);
        }
    }

    private void assertSlowRequestsAreCancelled() throws Exception {
        try (Statements statements = network.statements(); var crowd = new Crowd(gateway.port(), WORKERS)) {
            // Those of tests in which no request for a cancellation could reach the database.
            int ofOtherTests = statements.running("SELECT /*toxic*/");
            await("none is cancelled in the queue").until(() -> {
                double before = pool.cancelledAtWork();
                crowd.ask("GET /sleep HTTP/1.1\r\nHost: x\r\nX-Request-Timeout: 1250ms\r\n\r\n");
                assertThat(crowd.read()).extracting(Answer::status).containsOnly(504);
                await().until(pool::isIdle);
                return pool.cancelledAtWork() - before == WORKERS;
            });
            await().until(() -> statements.running("SELECT /*toxic*/") == ofOtherTests);
        }
    }

    /** Checks that excess requests are refused. At most 24 can be answered within the deadline. */
    private void assertExcessIsRefused() {
        try (var tooMany = new SteadyClient(gateway.port(), "/quick", 40)) {
            long start = System.nanoTime();
            await().atMost(Duration.ofMinutes(2)).until(() -> pool.busy() == WORKERS
                    && answers(tooMany, start, 200).size() > 2 * WORKERS
                    && answers(tooMany, start, 503).size() > 50);
            assertThat(pool.connections()).isLessThanOrEqualTo(WORKERS);
            assertThat(answers(tooMany, start, 503)).allMatch(Answered::retryAfter);
            assertThat(tooMany.between(start, System.nanoTime())).extracting(Answered::status)
                    .isSubsetOf(200, 503, 504);
        }
    }

    private static List<Answered> answers(SteadyClient client, long since, int status) {
        return client.between(since, System.nanoTime()).stream()
                .filter(answer -> answer.status() == status).toList();
    }

    private void assertHelloWasAnsweredSince(long begin) {
        assertThat(hello.between(begin, System.nanoTime())).as("hello meanwhile")
                .hasSizeGreaterThan(20).extracting(Answered::status).containsOnly(200);
    }

    private static String get(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n";
    }
}
