package io.sluice.gateway.http1;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.LoopBudget;
import io.sluice.gateway.RawClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fairness of the event loop: pipelined requests do not delay its other connections. */
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

    /**
     * When the loops, each of which has half of the connections, read from them next, all have input. A turn
     * of 0.5 ms is enough for several requests, but there are only some turns in a round of 5 ms.
     */
    @Test
    void loopReadsBrieflyFromManyConnections() throws Exception {
        int connections = 200;
        int ofEach = 10;
        var handled = new ConcurrentHashMap<Thread, List<String>>();
        var blocked = new CountDownLatch(2);
        var loopsMayRead = new CountDownLatch(1);
        var clients = new ArrayList<RawClient>();
        try (var server = HandlerServer.start(route("/{client}", exchange -> {
            handled.computeIfAbsent(Thread.currentThread(), _ -> new CopyOnWriteArrayList<>())
                    .add(exchange.pathParameter("client"));
            answer(exchange, "");
        }), route("/block/loop", exchange -> {
            blocked.countDown();
            loopsMayRead.await();
            answer(exchange, "");
        }))) {
            for (int i = 0; i < connections + 2; i++) {
                clients.add(server.connect());
                clients.get(i).send(get("/first").repeat(ofEach));
                for (int j = 0; j < ofEach; j++) {
                    clients.get(i).read();
                }
            }
            handled.clear();
            clients.get(connections).send(get("/block/loop"));
            clients.get(connections + 1).send(get("/block/loop"));
            blocked.await();
            for (int i = 0; i < connections; i++) {
                clients.get(i).send(get("/" + i).repeat(ofEach));
            }
            loopsMayRead.countDown();
            await().until(() ->
                    handled.values().stream().mapToInt(List::size).sum() == connections * ofEach);
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
        assertThat(handled.values()).hasSize(2).allSatisfy(all ->
                assertThat(all.stream().limit(connections / 2).distinct())
                        .as("connections of the first requests").hasSizeGreaterThan(connections / 4));
    }

    private static String get(String path) {
        return "GET %s HTTP/1.1\r\nHost: a\r\n\r\n".formatted(path);
    }

    private static void ask(RawClient client) throws Exception {
        client.send(get("/").repeat(REQUESTS));
        for (int i = 0; i < REQUESTS; i++) {
            assertThat(client.read().body()).isEqualTo("hello");
        }
    }
}
