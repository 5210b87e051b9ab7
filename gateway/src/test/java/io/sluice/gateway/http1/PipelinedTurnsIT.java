package io.sluice.gateway.http1;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.LoopBudget;
import io.sluice.gateway.RawClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fairness of the event loop: pipelined requests of one read do not delay its other connections. */
@Timeout(60)
class PipelinedTurnsIT {
    private static final Duration EACH = Duration.ofMillis(1);
    /** The limit of CPU time, twice the bound of a task, as these processors are shared. */
    private static final Duration BUDGET = Duration.ofMillis(10);
    private static final int REQUESTS = 100;

    @Test
    void loopTasksAreShortBetweenPipelinedRequests() throws Exception {
        try (var server = HandlerServer.start(route("/", exchange -> {
            LoopBudget.compute(EACH);
            answer(exchange, "hello");
        })); RawClient client = server.connect()) {
            ask(client);
            server.loopBudget().reset(); // the first round loads classes
            ask(client);
            server.loopBudget().requireBelow(BUDGET);
        }
    }

    private static void ask(RawClient client) throws Exception {
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(REQUESTS));
        for (int i = 0; i < REQUESTS; i++) {
            assertThat(client.read().body()).isEqualTo("hello");
        }
    }
}
