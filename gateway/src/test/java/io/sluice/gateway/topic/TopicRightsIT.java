package io.sluice.gateway.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.SocketClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rights to topics hold for every way in, and end with a reload that takes them away. */
@Timeout(120)
class TopicRightsIT {
    private static final String RIGHTS = """
            rights {
              "open.**" {}
              "news.*" { publish = [editor] }
              "staff.**" { subscribe = [alice, editor], publish = [editor] }
            }
            """;
    private static final String ROUTES = """
            sluice {
              server.worker-threads = 2
              tokens.alice.sha256 = "2bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90"
              tokens.editor.sha256 = "1553cc62ff246044c683a61e203e65541990e7fcd4af9443d22b9557ecc9ac54"
              topics.news { history {}, %s }
              routes {
                rpc { path = /rpc, handler = ws-rpc }
                sockets { path = "/ws/{topic}", handler = ws-topic, topics = news }
                events { path = "/events/{topic}", handler = events, topics = news, poll-wait = 60s }
                publish { path = "/topics/{topic}", handler = publish, topics = news }
              }
            }
            """;
    private static final String[] ALICE = {"Authorization", "Bearer alice"};
    private static final String[] EDITOR = {"Authorization", "Bearer editor"};

    private static RunningGateway start(String rights) {
        return RunningGateway.start(ROUTES.formatted(rights));
    }

    private static HttpResponse<String> publish(RunningGateway gateway, String topic, String... headers)
            throws Exception {
        HttpRequest.Builder request = gateway.request("/topics/" + topic);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return gateway.send(request.POST(HttpRequest.BodyPublishers.ofString("hi")));
    }

    @Test
    void subscribersNeedTheRight() throws Exception {
        try (var gateway = start(RIGHTS)) {
            assertThat(SocketClient.refusal(gateway, "/ws/staff.a")).isEqualTo(403);
            assertThat(SocketClient.refusal(gateway, "/ws/staff.a", ALICE)).isEqualTo(101);
            assertThat(SocketClient.refusal(gateway, "/ws/news.a")).isEqualTo(101);
            assertThat(SocketClient.refusal(gateway, "/ws/news.a.b", EDITOR)).isEqualTo(403);
            assertThat(SocketClient.refusal(gateway, "/ws/other", EDITOR)).isEqualTo(403);
            try (var events = new EventLines(gateway, "/events/staff.a");
                    var allowed = new EventLines(gateway, "/events/staff.a", ALICE)) {
                assertThat(events.status()).isEqualTo(403);
                assertThat(allowed.status()).isEqualTo(200);
            }
            HttpResponse<String> poll = gateway.get("/events/staff.a?after=");
            assertThat(poll.statusCode()).isEqualTo(403);
            assertThat(poll.body()).contains("topic: staff.a (expected: one to which a caller without a "
                    + "token may subscribe)");
            try (var rpc = SocketClient.connect(gateway, "/rpc");
                    var allowed = SocketClient.connect(gateway, "/rpc", ALICE)) {
                rpc.send("{\"id\":1,\"subscribe\":\"/ws/staff.a\"}");
                assertThat(rpc.next()).contains("\"status\":403");
                rpc.send("{\"id\":1,\"subscribe\":\"/events/staff.a\"}");
                assertThat(rpc.next()).contains("\"status\":403");
                allowed.send("{\"id\":1,\"subscribe\":\"/ws/staff.a\"}");
                assertThat(allowed.next()).contains("\"status\":200");
            }
        }
    }

    @Test
    void publishersNeedTheRight() throws Exception {
        try (var gateway = start(RIGHTS);
                var reader = SocketClient.connect(gateway, "/ws/news.a");
                var alice = SocketClient.connect(gateway, "/ws/news.a", ALICE);
                var editor = SocketClient.connect(gateway, "/ws/news.a", EDITOR);
                var rpc = SocketClient.connect(gateway, "/rpc", ALICE)) {
            assertThat(publish(gateway, "news.a").statusCode()).isEqualTo(403);
            assertThat(publish(gateway, "news.a", ALICE).body())
                    .contains("topic: news.a (expected: one to which alice may publish)");
            assertThat(publish(gateway, "open.a").statusCode()).isEqualTo(200);
            rpc.send("{\"id\":1,\"method\":\"POST\",\"path\":\"/topics/news.a\",\"body\":1}");
            assertThat(rpc.next()).contains("\"status\":403");
            alice.send("refused");
            assertThat(alice.closeCode()).isEqualTo(1008);

            editor.send("by a socket");
            assertThat(reader.next()).isEqualTo("by a socket");
            assertThat(publish(gateway, "news.a", EDITOR).statusCode()).isEqualTo(200);
            assertThat(reader.next()).isEqualTo("hi");
        }
    }

    @Test
    void reloadEndsSubscriptionsWithoutARight() throws Exception {
        try (var gateway = start("");
                var socket = SocketClient.connect(gateway, "/ws/staff.a");
                var rpc = SocketClient.connect(gateway, "/rpc");
                var events = new EventLines(gateway, "/events/staff.a");
                var alice = SocketClient.connect(gateway, "/ws/staff.a", ALICE);
                var news = SocketClient.connect(gateway, "/ws/news.a")) {
            String begin = events.next("id: ");
            rpc.send("{\"id\":1,\"subscribe\":\"/ws/staff.a\"}").next();
            rpc.next();
            var poll = gateway.client().sendAsync(gateway.request("/events/staff.a?after=" + begin)
                    .header("Accept", "application/json").build(), HttpResponse.BodyHandlers.ofString());
            TopicCounts.awaitSubscribers(gateway, "news", 6);

            gateway.reload(ROUTES.formatted(RIGHTS));
            assertThat(socket.closeCode()).isEqualTo(1008);
            assertThat(rpc.next()).isEqualTo("{\"subscription\":1,\"closed\":true}");
            assertThat(events.next("id: ")).isNull();
            assertThat(poll.get().statusCode()).isEqualTo(403);

            assertThat(publish(gateway, "staff.a", EDITOR).body()).contains("\"subscribers\":1");
            assertThat(alice.next()).isEqualTo("hi");
            alice.send("has it no more");
            assertThat(alice.closeCode()).isEqualTo(1008);
            assertThat(publish(gateway, "news.a", EDITOR).body()).contains("\"subscribers\":1");
            assertThat(news.next()).isEqualTo("hi");
        }
    }
}
