package io.sluice.gateway.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.SocketClient;
import java.time.Duration;

/** Two gateways whose topics are on a bus. */
record SharedTopics(RunningGateway one, RunningGateway other) implements AutoCloseable {

    /** Starts both; {@code bus} is what configures the bus. */
    static SharedTopics on(String bus) {
        String config = """
                sluice {
                  server.worker-threads = 2
                  buses.redis { %s, connect-timeout = 5s, publish-timeout = 5s }
                  topics.news { bus = redis, history {} }
                  routes {
                    subscribe { path = "/ws/{topic}", handler = ws-topic, topics = news }
                    publish { path = "/topics/{topic}", handler = publish, topics = news, deadline = 60s }
                  }
                }
                """.formatted(bus);
        var topics = new SharedTopics(RunningGateway.start(config), RunningGateway.start(config));
        topics.awaitConnected();
        return topics;
    }

    private void awaitConnected() {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(one.getAdmin("/buses").body()).contains("\"connected\":true");
            assertThat(other.getAdmin("/buses").body()).contains("\"connected\":true");
        });
    }

    /** A socket of the other gateway with positions, behind its first one. */
    SocketClient follow(String topic) throws InterruptedException {
        SocketClient socket = SocketClient.connect(other, "/ws/" + topic + "?after=");
        assertThat(socket.next()).contains("\"id\"");
        return socket;
    }

    /** Publishes through the one gateway until that is answered with 200. */
    void publish(String topic, String text) {
        await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(50)).until(() ->
                one.post("/topics/" + topic, text).statusCode() == 200);
    }

    /** A message passes, and nothing is said to be missing. */
    void passes(SocketClient socket, String topic, String text) throws InterruptedException {
        publish(topic, text);
        assertThat(socket.next()).contains("\"data\":\"" + text + "\"");
    }

    /**
     * A socket is told that messages may be missing, which may include the first one that was published
     * since, or repeat it, as a publication that fails is tried again; it gets those that are published
     * behind that notice.
     */
    void goesOnAfterNotice(SocketClient socket, String topic) throws InterruptedException {
        publish(topic, "first");
        assertThat(socket.next()).contains("\"resync\":true");
        publish(topic, "behind the notice");
        String next = socket.next();
        while (next.contains("first")) {
            next = socket.next();
        }
        assertThat(next).contains("\"data\":\"behind the notice\"");
    }

    @Override
    public void close() {
        one.close();
        other.close();
    }
}
