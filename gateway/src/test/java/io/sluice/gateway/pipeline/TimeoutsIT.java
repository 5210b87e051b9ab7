package io.sluice.gateway.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.SocketClient;
import io.sluice.gateway.logging.LoggedEvents;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** Clients that keep a connection waiting, all at the same time. */
class TimeoutsIT {
    private static final Map<SlowClient, Future<String>> RUNS = new EnumMap<>(SlowClient.class);

    private static final LoggedEvents LOG = new LoggedEvents();

    private static RunningGateway gateway;
    private static ExecutorService threads;
    private static SocketClient webSocket;

    @BeforeAll
    static void startAll() throws Exception {
        LOG.start();
        logger().addAppender(LOG);
        gateway = RunningGateway.start("""
                sluice.server {
                  send-buffer = 8KiB, write-buffer-low = 8KiB, write-buffer-high = 16KiB
                  timeouts { first-head = 1s, head = 500ms, idle = 1s, stall = 1s, min-rate = 1000 }
                }
                sluice.topics.all {}
                sluice.routes {
                  hello { path = "/hello", handler = text, text = hi }
                  large { path = "/large", handler = text, text = "%s" }
                  upload { path = "/upload/{topic}", handler = publish, topics = all }
                  echo-body { path = "/echo", handler = echo }
                  slow { path = "/slow", handler = delay, duration = 4s }
                  echo { path = "/ws", handler = ws-echo }
                }
                """.formatted("x".repeat(500_000)));
        webSocket = SocketClient.connect(gateway, "/ws");
        threads = Executors.newVirtualThreadPerTaskExecutor();
        for (SlowClient client : SlowClient.values()) {
            RUNS.put(client, threads.submit(() -> client.run(gateway.port())));
        }
    }

    @AfterAll
    static void stopAll() throws Exception {
        if (threads != null) {
            threads.close();
        }
        if (webSocket != null) {
            webSocket.close();
        }
        gateway.close();
        logger().detachAppender(LOG);
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger("io.sluice.gateway.pipeline");
    }

    @ParameterizedTest
    @EnumSource
    void noClientKeepsAConnectionWaiting(SlowClient client) throws Exception {
        assertThat(RUNS.get(client).get()).isEqualTo(client.expected());
    }

    @Test
    void noneOfThemIsWarnedOf() throws Exception {
        for (Future<String> run : RUNS.values()) {
            run.get();
        }
        assertThat(List.copyOf(LOG.list)).noneMatch(event -> event.getLevel().isGreaterOrEqual(Level.WARN));
    }

    @Test
    void aWebSocketKeepsItsOwnTime() throws Exception {
        RUNS.get(SlowClient.A_SLOW_HANDLER).get();
        webSocket.send("still there");
        assertThat(webSocket.next()).isEqualTo("still there");
    }
}
