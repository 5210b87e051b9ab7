package io.sluice.gateway.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.SocketClient;
import io.sluice.gateway.proxy.ByteOrigin;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A reload ends streams, polls and sockets whose callers have lost their token or the access to a route. */
@Timeout(180)
class LostAccessIT {
    private static final String ALICE = "2bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90";
    private static final String ROUTES = """
            sluice {
              server.worker-threads = 2
              tokens.alice.sha256 = "%s"
              tokens.editor.sha256 = "1553cc62ff246044c683a61e203e65541990e7fcd4af9443d22b9557ecc9ac54"
              topics.news { history {} }
              routes {
                rpc { path = /rpc, handler = ws-rpc }
                sockets { path = "/ws/{topic}", handler = ws-topic, topics = news, tokens = [%s]
                  publish = true }
                events { path = "/events/{topic}", handler = events, topics = news, tokens = [%2$s]
                  poll-wait = 10m }
                open { path = "/open/{topic}", handler = events, topics = news }
                publish { path = "/topics/{topic}", handler = publish, topics = news }
                secret { path = /secret, handler = text, text = secret, tokens = [alice] }
              }
            }
            """;
    private static final String BOTH = ROUTES.formatted(ALICE, "alice, editor");
    private static final String[] BY_ALICE = {"Authorization", "Bearer alice"};
    private static final String[] BY_EDITOR = {"Authorization", "Bearer editor"};

    @Test
    void reloadClosesStreamsOfCallersThatLostAccess() throws Exception {
        try (var gateway = RunningGateway.start(BOTH);
                var socket = SocketClient.connect(gateway, "/ws/a", BY_ALICE);
                var events = new EventLines(gateway, "/events/a", BY_ALICE);
                var rpc = SocketClient.connect(gateway, "/rpc", BY_ALICE);
                var open = new EventLines(gateway, "/open/a", BY_ALICE);
                var keptSocket = SocketClient.connect(gateway, "/ws/a", BY_EDITOR);
                var keptEvents = new EventLines(gateway, "/events/a", BY_EDITOR)) {
            String begin = events.next("id: ");
            rpc.send("{\"id\":1,\"subscribe\":\"/ws/a\"}").next();
            rpc.next();
            var poll = gateway.client().sendAsync(gateway.request("/events/a?after=" + begin)
                    .timeout(Duration.ofMinutes(3)).headers(BY_ALICE)
                    .header("Accept", "application/json").build(), HttpResponse.BodyHandlers.ofString());
            TopicCounts.awaitSubscribers(gateway, "news", 7);

            String next = ROUTES.formatted(ALICE, "editor");
            assertThat(gateway.check(next))
                    .contains("4 of 8 WebSockets and event streams would be closed (events: 2, sockets: 2)");
            Map<String, Object> report = gateway.reload(next);
            assertThat(report.get("socketsClosing")).isEqualTo(4);
            assertThat(socket.closeCode()).isEqualTo(1001);
            assertThat(events.next("id: ")).isNull();
            assertThat(rpc.next()).isEqualTo("{\"subscription\":1,\"closed\":true}");
            assertThat(poll.get(60, TimeUnit.SECONDS).body()).contains("\"messages\":[]");

            assertThat(gateway.post("/topics/a", "hi").body()).contains("\"subscribers\":3");
            assertThat(keptSocket.next()).isEqualTo("hi");
            assertThat(keptEvents.next("data: ")).isEqualTo("hi");
            assertThat(open.next("data: ")).isEqualTo("hi");
        }
    }

    @Test
    void anotherTokenOfTheSameCallerEndsWhatTheFormerOneHasOpened() throws Exception {
        try (var gateway = RunningGateway.start(BOTH);
                var rpc = SocketClient.connect(gateway, "/rpc", BY_ALICE);
                var open = new EventLines(gateway, "/open/a", BY_ALICE);
                var anonymous = new EventLines(gateway, "/open/a")) {
            open.next("id: ");
            String next = ROUTES.formatted(ALICE.replace("2bd8", "0000"), "alice, editor");
            assertThat(gateway.check(next))
                    .contains("2 of 3 WebSockets and event streams would be closed (open: 1, rpc: 1)");
            gateway.reload(next);
            assertThat(rpc.closeCode()).isEqualTo(1001);
            assertThat(open.next("id: ")).isNull();
            assertThat(gateway.post("/topics/a", "hi").body()).contains("\"subscribers\":1");
            assertThat(anonymous.next("data: ")).isEqualTo("hi");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/rpc", "/ws/a"})
    void aSocketThatIsNotDrainedYetTakesNoMessageWithoutItsToken(String target) throws Exception {
        String slow = "sluice.lifecycle.drain-timeout = 60s\n";
        try (var gateway = RunningGateway.start(slow + BOTH);
                var one = SocketClient.connect(gateway, target, BY_ALICE);
                var other = SocketClient.connect(gateway, target, BY_ALICE)) {
            String message = "{\"id\":1,\"path\":\"/secret\"}";
            assertThat(one.send(message).next())
                    .contains(target.equals("/rpc") ? "\"status\":200" : message);
            gateway.reload(slow + ROUTES.formatted(ALICE.replace("2bd8", "0000"), "alice, editor"));
            await().until(() -> one.isClosed() || other.isClosed());

            SocketClient open = one.isClosed() ? other : one;
            assertThat(open.send(message).closeCode()).isEqualTo(1008);
        }
    }

    /** A reload otherwise leaves a response of an upstream to its end, also one of a route that has gone. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aProxiedStreamEndsWithItsTokenOnly(boolean withItsRoute) throws Exception {
        String routes = """
                sluice {
                  tokens.alice.sha256 = "%s"
                  tokens.editor.sha256 = "1553cc62ff246044c683a61e203e65541990e7fcd4af9443d22b9557ecc9ac54"
                  upstreams.origin.endpoints = ["http://127.0.0.1:%d"]
                  routes.feed { path = /feed, handler = proxy, upstream = origin, tokens = [alice, editor]%s }
                }
                """;
        try (var origin = ByteOrigin.playing(connection -> {
            connection.request();
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n");
            connection.request();
        }); var gateway = RunningGateway.start(routes.formatted(ALICE, origin.port(), ""));
                var alice = new EventLines(gateway, "/feed", BY_ALICE);
                var editor = new EventLines(gateway, "/feed", BY_EDITOR)) {
            assertThat(alice.next("data: ")).isEqualTo(editor.next("data: ")).isEqualTo("1");
            String revoked = ALICE.replace("2bd8", "0000");
            if (withItsRoute) {
                gateway.reload(routes.formatted(ALICE, origin.port(), ", tunnel-idle = 1m")
                        .replace("path = /feed", "path = /other"));
            }
            gateway.reload(routes.formatted(revoked, origin.port(), ""));
            await().until(() -> origin.open() == 1);
            assertThatThrownBy(() -> alice.next("data: ")).isInstanceOf(IOException.class);

            gateway.reload(routes.formatted(revoked, origin.port(), ", idle = 1m"));
            assertThat(gateway.get("/feed").statusCode()).isEqualTo(401);
            assertThat(origin.open()).isEqualTo(1);
        }
    }
}
