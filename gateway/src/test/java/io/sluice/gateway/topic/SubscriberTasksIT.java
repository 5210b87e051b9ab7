package io.sluice.gateway.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.SocketClient;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The CPU time of the longest event-loop task that subscribers and publishers can cause. */
@Timeout(300)
class SubscriberTasksIT {
    private static final Duration BUDGET = Duration.ofMillis(10);
    private static final int MIB = 1 << 20;
    private static final int SUBSCRIPTIONS = 100;
    private static final int MESSAGES = 100;
    private static final int ANSWERS = 10;

    private RunningGateway gateway;

    @BeforeEach
    void start() {
        gateway = RunningGateway.start("""
                sluice.server.worker-threads = 1
                sluice.topics.news {}
                sluice.route-defaults.max-body = 2MiB
                sluice.routes {
                  rpc { path = "/rpc", handler = ws-rpc }
                  large { path = "/large", handler = text, text = "%s" }
                  topic { path = "/topic/{topic}", handler = ws-topic, topics = news }
                  events { path = "/events/{topic}", handler = events, topics = news }
                  publish { path = "/publish/{topic}", handler = publish, topics = news }
                }
                """.formatted("x".repeat(900_000)));
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private void publish(String text) throws Exception {
        assertThat(gateway.post("/publish/a", text).statusCode()).isEqualTo(200);
    }

    @Test
    void messagesThatWaitedForASlowReader() throws Exception {
        gateway.loopBudget().requireBelow(BUDGET, () -> {
            try (var slow = SocketClient.stalled(gateway, "/rpc")) {
                for (int i = 0; i < SUBSCRIPTIONS; i++) {
                    slow.send("{\"id\":" + i + ",\"subscribe\":\"/topic/a\"}");
                }
                for (int i = 0; i < ANSWERS; i++) {
                    slow.send("{\"path\":\"/large\"}");
                }
                for (int i = 0; i < MESSAGES; i++) {
                    publish("x");
                }
                publish("last");
                slow.read();
                for (int ended = 0; ended < SUBSCRIPTIONS;) {
                    ended += slow.next().contains("\"last\"") ? 1 : 0;
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"", "\u0001", "\n"})
    void textsOfEscapes(String each) throws Exception {
        int length = each.equals("\n") ? MIB / 4 : MIB; // an event has a field for each line, in one task
        String text = each.repeat(length);
        try (var socket = SocketClient.connect(gateway, "/topic/a?after=");
                var rpc = SocketClient.connect(gateway, "/rpc");
                var events = new EventLines(gateway, "/events/a")) {
            socket.next();
            rpc.send("{\"id\":1,\"subscribe\":\"/topic/a\"}").next();
            rpc.next();
            gateway.loopBudget().requireBelow(BUDGET, () -> {
                publish(text);
                publish("end");
                assertThat(socket.next()).hasSizeGreaterThan(2 * length);
                assertThat(rpc.next()).hasSizeGreaterThan(2 * length);
                assertThat(socket.next()).contains("\"end\"");
                assertThat(rpc.next()).contains("\"end\"");
                assertThat(events.next("data: end")).isEmpty();
            });
        }
    }
}
