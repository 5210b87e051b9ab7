package io.sluice.gateway.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.SocketClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Presence: the members of a topic, read by requests and as events. */
@Timeout(120)
class PresenceIT {
    private static final String ROUTES = """
            sluice {
              server.worker-threads = 2
              tokens.alice.sha256 = "2bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90"
              tokens.editor.sha256 = "1553cc62ff246044c683a61e203e65541990e7fcd4af9443d22b9557ecc9ac54"
              topics {
                news {
                  presence { interval = 20ms, leave-after = 50ms, %s }
                  rights { "staff.*" { subscribe = [editor] }, "**" {} }
                }
                bare {}
              }
              routes {
                rpc { path = /rpc, handler = ws-rpc }
                sockets { path = "/ws/{topic}", handler = ws-topic, topics = news }
                events { path = "/events/{topic}", handler = events, topics = news }
                presence { path = "/presence/{topic}", handler = presence, topics = news }
                publish { path = "/topics/{topic}", handler = publish, topics = news }
                bare { path = "/bare/{topic}", handler = ws-topic, topics = bare }
              }
            }
            """;
    private static final String[] ALICE = {"Authorization", "Bearer alice"};
    private static final String[] EDITOR = {"Authorization", "Bearer editor"};

    private static RunningGateway start() {
        return RunningGateway.start(ROUTES.formatted(""));
    }

    private static void awaitState(RunningGateway gateway, String state) {
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() ->
                assertThat(gateway.get("/presence/a").body()).isEqualTo(state));
    }

    /** The next state with this in it. */
    private static String next(SocketClient socket, String part) throws Exception {
        String next = socket.next();
        while (!next.contains(part)) {
            next = socket.next();
        }
        return next;
    }

    @Test
    void joinsAndLeavesAreReportedToSubscribers() throws Exception {
        try (var gateway = start();
                var socket = SocketClient.connect(gateway, "/ws/a?presence=true", ALICE);
                var rpc = SocketClient.connect(gateway, "/rpc", ALICE);
                var events = new EventLines(gateway, "/events/a?presence=true")) {
            assertThat(next(socket, "\"count\":2")).isEqualTo("{\"presence\":{\"count\":2,\"anonymous\":1,"
                    + "\"members\":[\"alice\"],\"truncated\":false,\"joined\":[],\"left\":[]}}");
            assertThat(events.next("event: ")).isEqualTo("presence");
            assertThat(events.next("data: ")).startsWith("{\"presence\":{\"count\":");
            rpc.send("{\"id\":1,\"subscribe\":\"/ws/a\",\"query\":{\"presence\":\"true\"}}");
            assertThat(next(rpc, "\"presence\"")).startsWith(
                    "{\"subscription\":1,\"presence\":{\"count\":2,");

            try (var editor = SocketClient.connect(gateway, "/ws/a", EDITOR)) {
                assertThat(next(socket, "\"count\":3")).contains("\"joined\":[\"editor\"],\"left\":[]");
                assertThat(next(rpc, "\"joined\":[\"editor\"]")).contains("\"subscription\":1");
                gateway.post("/topics/a", "hi");
                assertThat(editor.next()).isEqualTo("hi");
            }
            assertThat(next(socket, "\"data\"")).contains("\"hi\"");
            assertThat(next(socket, "\"left\":[\"editor\"]")).contains("\"count\":2");
            assertThat(events.next("data: {\"presence\":{\"count\":3,")).contains("\"joined\":[\"editor\"]");
        }
    }

    @Test
    void presenceRequestListsTheMembers() throws Exception {
        try (var gateway = start()) {
            awaitState(gateway, "{\"count\":0,\"anonymous\":0,\"members\":[],\"truncated\":false}");
            try (var _ = SocketClient.connect(gateway, "/ws/a", ALICE);
                    var _ = SocketClient.connect(gateway, "/ws/a", ALICE);
                    var _ = SocketClient.connect(gateway, "/ws/a")) {
                awaitState(gateway,
                        "{\"count\":2,\"anonymous\":1,\"members\":[\"alice\"],\"truncated\":false}");
            }
            awaitState(gateway, "{\"count\":0,\"anonymous\":0,\"members\":[],\"truncated\":false}");
            HttpResponse<String> refused = gateway.get("/presence/staff.a");
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(gateway.send(gateway.request("/presence/staff.a").headers(EDITOR)).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void presenceParameterIsRefusedIfUnsupported() throws Exception {
        try (var gateway = start()) {
            assertThat(SocketClient.refusal(gateway, "/bare/a?presence=true")).isEqualTo(400);
            assertThat(SocketClient.refusal(gateway, "/ws/a?presence=yes")).isEqualTo(400);
            HttpResponse<String> poll = gateway.get("/events/a?presence=true&after=");
            assertThat(poll.statusCode()).isEqualTo(400);
            assertThat(poll.body()).contains("text/event-stream");
        }
    }

    @Test
    void aStreamThatComesBackKeepsItsPositionThoughStatesHaveNone() throws Exception {
        try (var gateway = start(); var first = new EventLines(gateway, "/events/a")) {
            String last = first.next("id: ");
            try (var events = new EventLines(gateway, "/events/a?presence=true", "Last-Event-ID", last)) {
                assertThat(events.next("")).startsWith("retry: ");
                assertThat(events.next("")).isEqualTo("id: " + last);
                assertThat(events.next("event: ")).isEqualTo("presence");
            }
        }
    }

    @Test
    void aReloadThatChangesItClosesSockets() throws Exception {
        try (var gateway = start(); var socket = SocketClient.connect(gateway, "/ws/a?presence=true")) {
            next(socket, "\"count\":1");
            gateway.reload(ROUTES.formatted("members = 5"));
            assertThat(socket.closeCode()).isEqualTo(1001);
            awaitState(gateway, "{\"count\":0,\"anonymous\":0,\"members\":[],\"truncated\":false}");
        }
    }
}
