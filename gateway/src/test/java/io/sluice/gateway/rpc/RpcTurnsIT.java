package io.sluice.gateway.rpc;

import static io.sluice.gateway.HandlerServer.route;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.config.HandlerConfig;
import io.sluice.config.topic.OverBudget;
import io.sluice.config.type.ByteSize;
import io.sluice.gateway.LoopBudget;
import io.sluice.gateway.routing.Route;
import io.sluice.gateway.routing.RoutingTable;
import io.sluice.gateway.websocket.SocketServer;
import io.sluice.gateway.websocket.SocketSettings;
import io.sluice.handlers.Exchange;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fairness of the event loop: large answers over one socket do not delay its other connections. */
class RpcTurnsIT {
    private static final int ANSWERS = 20;
    private static final int SIZE = 800_000;
    private static final int ABORTED = 2000;

    private final Queue<Exchange> waiting = new ConcurrentLinkedQueue<>();
    private final Queue<Integer> ended = new ConcurrentLinkedQueue<>();
    private final Route wait = route("/wait", waiting::add);
    private SocketServer server;
    private WebSocket client;
    /** The number of other tasks that ran between those of the answers. */
    private volatile int turns;

    private WebSocket connect() {
        return HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(
                URI.create("ws://127.0.0.1:" + server.port()), new WebSocket.Listener() { }).join();
    }

    @BeforeEach
    void start() {
        var config = new HandlerConfig.WsRpc(null, ABORTED, new ByteSize(1 << 20),
                100, new ByteSize(1 << 20), OverBudget.DROP_OLDEST);
        var table = new RoutingTable(List.of(wait, route("/busy", exchange -> {
            exchange.onAbort(() -> LoopBudget.compute(Duration.ofNanos(50_000)));
            waiting.add(exchange);
        })));
        var rpc = new RpcHandler(() -> config, 8192, () -> table, request -> ended.add(request.status()));
        server = new SocketServer(new SocketSettings(), rpc);
        client = connect();
    }

    @AfterEach
    void stop() {
        client.abort();
        server.close();
    }

    private void count(EventExecutor loop) {
        if (ended.size() < ANSWERS) {
            turns++;
            loop.schedule(() -> count(loop), 0, NANOSECONDS);
        }
    }

    @ParameterizedTest
    @CsvSource({"application/json, [", "text/plain, a", "image/png, \u00ff"})
    void loopTasksAreShortWithinAndBetweenResponses(String type, String first) {
        for (int i = 0; i < ANSWERS; i++) {
            client.sendText("{\"path\":\"/wait\"}", true).join();
        }
        await().until(() -> waiting.size() == ANSWERS);
        byte[] body = new byte[SIZE];
        Arrays.fill(body, (byte) ' ');
        body[0] = (byte) first.charAt(0);
        body[SIZE - 1] = ']';
        EventExecutor loop = waiting.element().eventLoop();

        loop.execute(() -> {
            count(loop);
            for (Exchange exchange : waiting) {
                exchange.respond(HttpResponseStatus.OK, type, exchange.alloc().buffer(SIZE).writeBytes(body));
            }
        });

        await().until(() -> ended.size() == ANSWERS);
        assertThat(ended).containsOnly(200);
        // All answers take 20 ms or more of the event loop, and a task takes half a millisecond.
        assertThat(turns).isGreaterThan(5);
    }

    /** All requests together take 100 ms. */
    @Test
    void loopTasksAreShortWhileAbortedRequestsEnd() throws Exception {
        server.http().loopBudget().requireBelow(Duration.ofMillis(10), () -> {
            WebSocket other = connect();
            for (int i = 0; i < ABORTED; i++) {
                other.sendText("{\"path\":\"/busy\"}", true).join();
            }
            await().until(() -> waiting.size() == ABORTED);
            waiting.clear();

            other.abort();

            await().until(() -> ended.size() == ABORTED);
            ended.clear();
        });
    }
}
