package io.sluice.gateway;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The measurement of event-loop tasks: computing is found, with its route and its stack; waiting is not. */
class LoopBudgetIT {
    private static final Duration LIMIT = Duration.ofMillis(10);
    private static final Duration WAIT = Duration.ofMillis(100);

    @Test
    void findsATaskThatComputes() throws Exception {
        try (var server = HandlerServer.start(route("/compute/{n}", exchange -> {
            LoopBudget.compute(Duration.ofMillis(30));
            answer(exchange, "done");
        })); var client = server.connect()) {
            client.send("GET /compute/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            assertThat(client.read().body()).isEqualTo("done");

            assertThatThrownBy(() -> server.loopBudget().requireBelow(LIMIT))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("route /compute/{n}").hasMessageContaining("LoopBudget.compute");

            server.loopBudget().reset();
            server.loopBudget().requireBelow(LIMIT);
        }
    }

    @Test
    void doesNotTakeWaitingForComputing() throws Exception {
        try (var server = HandlerServer.start(route("/wait", exchange -> {
            LockSupport.parkNanos(WAIT.toNanos());
            answer(exchange, "done");
        }))) {
            for (int round = 0; round < 2; round++) {
                server.loopBudget().reset(); // the first round loads classes
                try (var client = server.connect()) {
                    client.send("GET /wait HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
                    assertThat(client.read().body()).isEqualTo("done");
                }
            }
            assertThat(server.loopBudget().longest()).isLessThan(WAIT);
        }
    }
}
