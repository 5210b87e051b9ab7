package io.sluice.loadtest.experiments.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.loadtest.experiments.driver.AnswerClass;
import io.sluice.loadtest.experiments.driver.Arrivals;
import io.sluice.loadtest.experiments.driver.Deliveries;
import io.sluice.loadtest.experiments.driver.Load;
import io.sluice.loadtest.experiments.driver.Publications;
import io.sluice.loadtest.experiments.driver.WebSockets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** WebSocket load against the bare Netty server that the gateway is compared with. */
class BareServerIT {

    private static final Duration HALF_A_SECOND = Duration.ofMillis(500);
    private static ServerProcess server;

    @BeforeAll
    static void start() throws Exception {
        server = ServerProcess.startBare(new Variant("bare Netty", Map.of()),
                BareServer.Kind.WEB_SOCKET);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void echoesInAClosedLoop() throws Exception {
        try (var load = Load.echo(server.port(), 4, "/ws/echo", "Hello!")) {
            var before = server.processorTime();
            var answers = load.measure(HALF_A_SECOND.multipliedBy(3)).get();
            assertThat(answers.latencies("/ws/echo", AnswerClass.OK).getTotalCount()).isGreaterThan(10)
                    .isEqualTo(answers.count(AnswerClass.OK));
            assertThat(answers.failures()).isZero();
            assertThat(server.processorTime()).isGreaterThan(before);
        }
    }

    @Test
    void holdsIdleSocketsThatStillAnswer() throws Exception {
        var answered = new CountDownLatch(300);
        try (var sockets = WebSockets.to(server.port(), "/ws/echo", (_, length) -> {
            assertThat(length).isEqualTo("hello".length());
            answered.countDown();
        })) {
            sockets.open(120);
            assertThat(sockets.held()).isEqualTo(120);
            sockets.open(180);
            assertThat(sockets.held()).isEqualTo(300);
            sockets.send("hello");
            assertThat(answered.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(sockets.held()).isEqualTo(300);
        }
    }

    @Test
    void publishedMessagesReachAllSubscribers() throws Exception {
        var publications = new Publications("/topics/news");
        var deliveries = new Deliveries(publications);
        try (var subscribers = WebSockets.to(server.port(), "/ws/topics/news", deliveries)) {
            subscribers.open(50);
            try (var publisher = Load.open(server.port(), 2, Arrivals.steady(100), publications)) {
                deliveries.begin();
                var posts = publisher.measure(HALF_A_SECOND).get();
                assertThat(posts.count(AnswerClass.OK)).isEqualTo(50);
                assertThat(posts.failures()).isZero();
                assertThat(deliveries.end(50)).isZero();
            }
            assertThat(deliveries.count()).isBetween(40 * 50L, 500 * 50L)
                    .isEqualTo(deliveries.latencies().getTotalCount());
            assertThat(deliveries.latencies().getMaxValue()).isPositive();
        }
    }

    @Test
    void saysThatAPathIsNotForSockets() {
        try (var sockets = WebSockets.to(server.port(), "/elsewhere", (_, _) -> { })) {
            assertThatThrownBy(() -> sockets.open(3))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageEndingWith(
                            "HTTP/1.1 404 Not Found (expected: 101) (expected: 3 WebSockets more)");
        }
        assertThatThrownBy(() -> Load.echo(server.port(), 2, "/elsewhere", "Hello!"))
                .hasMessageContaining("HTTP/1.1 404 Not Found (expected: 101)");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void tellsItsMemory() throws Exception {
        assertThat(server.residentBytes()).isBetween(20L << 20, 2L << 30);
        assertThat(server.collectGarbage()).isTrue();
    }
}
