package io.sluice.gateway.http2;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.LoopBudget;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Fairness of the event loop: requests that arrive in one read do not delay its other connections. */
class RequestTurnsIT {
    private static final Duration EACH = Duration.ofMillis(1);
    /** The limit of CPU time, twice the bound of a task, as these processors are shared. */
    private static final Duration BUDGET = Duration.ofMillis(10);
    private static final int REQUESTS = 100;

    @Test
    void loopTasksAreShortBetweenStreams() throws Exception {
        try (var server = HandlerServer.start(route("/", exchange -> {
            LoopBudget.compute(EACH);
            answer(exchange, "hello");
        })); FrameClient client = FrameClient.connect(server)) {
            ask(client, 1);
            server.loopBudget().reset(); // the first round loads classes
            ask(client, 2 * REQUESTS + 1);
            server.loopBudget().requireBelow(BUDGET);
        }
    }

    /** Sends requests on so many streams at once, and reads the answers. */
    private static void ask(FrameClient client, int first) throws Exception {
        var all = new ByteArrayOutputStream();
        for (int i = 0; i < REQUESTS; i++) {
            all.writeBytes(FrameClient.get(first + 2 * i, "/").bytes());
        }
        client.socket().send(all.toByteArray());
        for (int i = 0; i < REQUESTS; i++) {
            assertThat(client.answer(first + 2 * i).body()).isEqualTo("hello");
        }
    }
}
