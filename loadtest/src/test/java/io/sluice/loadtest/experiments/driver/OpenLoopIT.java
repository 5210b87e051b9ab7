package io.sluice.loadtest.experiments.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OpenLoopIT {

    private static final Duration HALF_A_SECOND = Duration.ofMillis(500);

    @Test
    void keepsItsRateWhateverTheAnswersTake() throws Exception {
        try (var server = new StubServer(); var load = open(server, 40, 200, get("/slow"))) {
            var answers = load.measure(HALF_A_SECOND).get();
            assertThat(answers.count(AnswerClass.OK)).isEqualTo(100);
            assertThat(answers.offeredPerSecond()).isEqualTo(200);
            assertThat(answers.failures()).isZero();
            assertThat(answers.lag().getTotalCount()).isPositive();
            assertThat(server.mostInFlight()).isGreaterThan(5);
        }
    }

    @Test
    void countsTheWaitForAConnectionInTheLatency() throws Exception {
        // One connection serves 20 requests a second. At a rate of 40, the 20th waits for almost half a
        // second.
        try (var server = new StubServer(); var load = open(server, 1, 40, get("/slow"))) {
            var answers = load.measure(HALF_A_SECOND).get();
            assertThat(answers.count(AnswerClass.OK)).isEqualTo(20);
            assertThat(answers.latencies(AnswerClass.OK).getMaxValue())
                    .isGreaterThan(Duration.ofMillis(450).toNanos());
            assertThat(answers.perSecond(AnswerClass.OK)).isBetween(0.1, 22.0);
            assertThat(server.mostInFlight()).isEqualTo(1);
        }
    }

    @Test
    void countsRefusedAndLateOnesApart() throws Exception {
        var requests = List.of(get("/ok"), get("/refused"), get("/late"));
        try (var server = new StubServer(); var load = Load.open(
                server.port(), 5, Arrivals.independent(400), RequestSource.anyOf(requests))) {
            var answers = load.measure(HALF_A_SECOND).get();
            assertThat(answers.count(AnswerClass.OK)).isPositive();
            assertThat(answers.count(AnswerClass.REFUSED)).isPositive();
            assertThat(answers.count(AnswerClass.LATE)).isPositive();
            assertThat(answers.errors()).isZero();
        }
    }

    @Test
    void countsResetConnectionsAndReplacesThem() throws Exception {
        try (var server = new StubServer(); var load = open(server, 5, 100, get("/reset"))) {
            var answers = load.measure(HALF_A_SECOND).get();
            assertThat(answers.count()).isZero();
            assertThat(answers.errors()).isEqualTo(50);
        }
    }

    @Test
    void unansweredRequestsTimeOut() throws Exception {
        try (var server = new StubServer(); var load = Load.open(server.port(), 5, Arrivals.steady(100),
                () -> get("/never"), Duration.ofMillis(100))) {
            var answers = load.measure(HALF_A_SECOND).get();
            assertThat(answers.unanswered()).isEqualTo(50).isEqualTo(answers.errors());
        }
    }

    @Test
    void makesConnectionsWhenNoneIsFree() throws Exception {
        // 100 requests a second of 50 ms each need 5 connections; a few more on a busy machine.
        try (var server = new StubServer();
                var load = Load.visits(server.port(), 40, Arrivals.steady(100), () -> get("/slow"))) {
            var answers = load.measure(HALF_A_SECOND).get();
            assertThat(answers.count(AnswerClass.OK)).isEqualTo(50);
            assertThat(answers.failures()).isZero();
            assertThat(server.accepted()).isBetween(2, 40);
        }
    }

    @Test
    void makesNoMoreConnectionsThanThereMayBeAndReplacesThem() throws Exception {
        try (var server = new StubServer();
                var load = Load.visits(server.port(), 2, Arrivals.steady(100), () -> get("/slow"))) {
            load.measure(HALF_A_SECOND).get();
            assertThat(server.accepted()).isEqualTo(2);
        }
        try (var server = new StubServer();
                var load = Load.visits(server.port(), 2, Arrivals.steady(100), () -> get("/bye"))) {
            var answers = load.measure(HALF_A_SECOND).get();
            assertThat(answers.count(AnswerClass.OK)).isEqualTo(50);
            assertThat(server.accepted()).isGreaterThanOrEqualTo(50);
        }
    }

    @Test
    void countsEveryRequestForWhichThereIsNoConnection() throws Exception {
        try (var dead = new DeadPort();
                var load = Load.visits(dead.number(), 5, Arrivals.steady(100), () -> get("/ok"))) {
            var answers = load.measure(HALF_A_SECOND).get();
            assertThat(answers.errors()).isEqualTo(50).isEqualTo(answers.brokenConnections());
            assertThat(answers.count()).isZero();
        }
    }

    @Test
    void comesAsIndependentUsersDo() {
        var arrivals = Arrivals.independent(1_000);
        var gaps = LongStream.generate(arrivals::gap).limit(100_000).summaryStatistics();
        assertThat(gaps.getAverage()).isCloseTo(1e6, within(2e4));
        assertThat(gaps.getMin()).isNotNegative();
        assertThat(gaps.getMax()).isGreaterThan(5_000_000);
    }

    private static Load open(StubServer server, int connections, double perSecond, Request request)
            throws Exception {
        return Load.open(server.port(), connections, Arrivals.steady(perSecond), () -> request);
    }

    private static Request get(String path) {
        return Request.get(path, path);
    }
}
