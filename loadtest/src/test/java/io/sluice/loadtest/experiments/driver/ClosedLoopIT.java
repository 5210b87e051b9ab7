package io.sluice.loadtest.experiments.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClosedLoopIT {

    private static final Duration HALF_A_SECOND = Duration.ofMillis(500);

    @Test
    void sendsTheNextRequestWhenTheAnswerIsThere() throws Exception {
        try (var server = new StubServer(); var load = Load.closed(server.port(), 4, () -> get("/slow"))) {
            var answers = measured(load, each -> each.count(AnswerClass.OK) > 0);
            // 4 connections x 500 ms / 50 ms = 40; fewer on a busy machine.
            assertThat(answers.count(AnswerClass.OK)).isBetween(1L, 44L);
            assertThat(answers.perSecond(AnswerClass.OK)).isEqualTo(answers.count(AnswerClass.OK) * 2.0);
            assertThat(answers.failures()).isZero();
            assertThat(answers.latencies(AnswerClass.OK).getMinValue())
                    .isGreaterThan(StubServer.SLOW.toNanos() * 9 / 10);
            assertThat(server.mostInFlight()).isEqualTo(4);
        }
    }

    @Test
    void countsEachKindOfRequestAndClassOfAnswerApart() throws Exception {
        var requests = List.of(get("/ok"), get("/refused"), get("/late"), get("/empty"), get("/none"));
        try (var server = new StubServer();
                var load = Load.closed(server.port(), 3, RequestSource.anyOf(requests))) {
            var answers = measured(load, each -> requests.stream().allMatch(request ->
                    Stream.of(AnswerClass.values()).anyMatch(
                            answer -> each.latencies(request.kind(), answer).getTotalCount() > 0)));
            assertThat(answers.latencies("/ok", AnswerClass.OK).getTotalCount()).isPositive()
                    .isEqualTo(answers.count(AnswerClass.OK));
            assertThat(answers.bytesPerSecond()).isEqualTo("ok".length() * answers.perSecond(AnswerClass.OK));
            assertThat(answers.latencies("/refused", AnswerClass.REFUSED).getTotalCount()).isPositive()
                    .isEqualTo(answers.count(AnswerClass.REFUSED));
            assertThat(answers.latencies("/late", AnswerClass.LATE).getTotalCount()).isPositive()
                    .isEqualTo(answers.count(AnswerClass.LATE));
            assertThat(answers.latencies("/empty", AnswerClass.OTHER).getTotalCount()).isPositive();
            assertThat(answers.latencies("/none", AnswerClass.OTHER).getTotalCount()).isPositive();
            assertThat(answers.errors()).isPositive().isEqualTo(answers.count(AnswerClass.OTHER));
            assertThat(answers.failures()).isEqualTo(answers.count() - answers.count(AnswerClass.OK));
        }
    }

    @Test
    void countsResetConnectionsAndReplacesThem() throws Exception {
        try (var server = new StubServer(); var load = Load.closed(
                server.port(), 2, RequestSource.anyOf(List.of(get("/ok"), get("/reset"))))) {
            var answers = measured(load, each -> each.brokenConnections() > 0
                    && each.count(AnswerClass.OK) > 0);
            assertThat(answers.brokenConnections()).isPositive().isEqualTo(answers.errors());
            assertThat(answers.count(AnswerClass.OK)).isPositive();
        }
    }

    @Test
    void takesAConnectionThatTheServerClosesForNoError() throws Exception {
        try (var server = new StubServer(); var load = Load.closed(server.port(), 2, () -> get("/bye"))) {
            var answers = measured(load, each -> each.count(AnswerClass.OK) > 0);
            assertThat(answers.count(AnswerClass.OK)).isPositive();
            assertThat(answers.errors()).isZero();
        }
    }

    @Test
    void measuresOnePhaseAfterTheOther() throws Exception {
        try (var server = new StubServer(); var load = Load.closed(server.port(), 1, () -> get("/slow"))) {
            var first = load.measure(HALF_A_SECOND).get();
            var count = first.count();
            var second = measured(load, each -> each.count() > 0);
            assertThat(second.count()).isPositive();
            assertThat(first.count()).isEqualTo(count);
        }
    }

    @Test
    void waitsBeforeEachRequestWhereUsersPause() throws Exception {
        try (var server = new StubServer(); var load = Load.returning(server.port(), 10,
                Duration.ofMillis(100), Duration.ofMillis(150), () -> get("/slow"))) {
            var answers = measured(load, each -> each.count(AnswerClass.OK) > 0);
            // A connection's requests end every 200 ms; later on a busy machine.
            assertThat(answers.count(AnswerClass.OK)).isBetween(1L, 30L);
            assertThat(answers.failures()).isZero();
            assertThat(server.accepted()).isEqualTo(10);
        }
    }

    @Test
    void takesAConnectionThatIsClosedInAPauseForNoError() throws Exception {
        try (var server = new StubServer(); var load = Load.returning(server.port(), 2,
                Duration.ZERO, Duration.ofMillis(300), () -> get("/fickle"))) {
            var answers = measured(load, each -> each.count(AnswerClass.OK) > 0);
            assertThat(answers.count(AnswerClass.OK)).isPositive();
            assertThat(answers.errors()).isZero();
            assertThat(server.accepted()).isPositive();
        }
    }

    @Test
    void leavesNoConnectionOpenThatEndsInTheMiddleOfARamp() throws Exception {
        try (var server = new StubServer()) {
            try (var load = Load.returning(server.port(), 2_000,
                    Duration.ofSeconds(2), Duration.ofSeconds(10), () -> get("/ok"))) {
                load.warmUp(HALF_A_SECOND);
            }
            assertThat(server.accepted()).isPositive();
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(server.open()).isZero());
        }
    }

    @Test
    void countsEveryConnectionThatIsNotAccepted() throws Exception {
        try (var dead = new DeadPort(); var load = Load.returning(dead.number(), 10,
                Duration.ofMillis(50), Duration.ZERO, () -> get("/ok"))) {
            var answers = load.measure(HALF_A_SECOND).get();
            // Each connection tries again every 100 ms; less often on a busy machine.
            assertThat(answers.errors()).isBetween(10L, 60L).isEqualTo(answers.brokenConnections());
            assertThat(answers.count()).isZero();
        }
    }

    @Test
    void missingListenerIsReported() throws Exception {
        try (var dead = new DeadPort()) {
            int port = dead.number();
            assertThatThrownBy(() -> Load.closed(port, 3, () -> get("/ok")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("127.0.0.1:" + port + ": ")
                    .hasMessageEndingWith("(expected: 3 connections)");
        }
    }

    /** Measures again while answers are missing, as when the server's thread stood still. */
    private static Answers measured(Load load, Predicate<Answers> complete) throws Exception {
        Answers answers = load.measure(HALF_A_SECOND).get();
        for (int tries = 0; tries < 20 && !complete.test(answers); tries++) {
            answers = load.measure(HALF_A_SECOND).get();
        }
        return answers;
    }

    private static Request get(String path) {
        return Request.get(path, path);
    }
}
