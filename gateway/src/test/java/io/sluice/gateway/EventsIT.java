package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Server-sent events, and long polls. */
@Timeout(120)
class EventsIT {
    private static final Pattern DATA = Pattern.compile("\"data\":\"(\\w+)\"");
    private static final String ROUTES = """
            sluice {
              server { worker-threads = 2, send-buffer = 64KiB }
              topics { news { history { messages = 50 } }, bare {} }
              routes {
                events { path = "/events/{topic}", handler = events, topics = news, %s }
                bare { path = "/bare/{topic}", handler = events, topics = bare, budget = 300KiB }
                publish { path = "/topics/{topic}", handler = publish, topics = news }
                shout { path = "/shout/{topic}", handler = publish, topics = bare }
                rpc { path = /rpc, handler = ws-rpc }
              }
            }
            """;

    private static RunningGateway start(String keys) {
        return RunningGateway.start(ROUTES.formatted(keys));
    }

    /** A response of server-sent events. */
    private static final class Events implements AutoCloseable {
        private final HttpResponse<InputStream> response;
        private final BufferedReader lines;

        Events(RunningGateway gateway, String target, String... headers) throws Exception {
            HttpRequest.Builder request = gateway.request(target).header("Accept", "text/event-stream");
            if (headers.length > 0) {
                request.headers(headers);
            }
            response = gateway.client().send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
        }

        /** Returns the lines of the next event; none at the end. */
        List<String> next() throws Exception {
            var event = new ArrayList<String>();
            for (String line = lines.readLine(); line != null && !line.isEmpty(); line = lines.readLine()) {
                if (!line.startsWith(":") && !line.startsWith("retry: ")) {
                    event.add(line);
                }
            }
            return event;
        }

        String id() throws Exception {
            return next().getFirst().substring("id: ".length());
        }

        @Override
        public void close() throws IOException {
            response.body().close();
        }
    }

    private static String plus(String id, int offset) {
        int colon = id.indexOf(':');
        return id.substring(0, colon + 1) + (Long.parseLong(id.substring(colon + 1)) + offset);
    }

    @Test
    void eventsHaveIdsAndAClientThatComesBackGetsWhatItMissed() throws Exception {
        try (var gateway = start("")) {
            String begin;
            try (var events = new Events(gateway, "/events/a")) {
                assertThat(events.response.headers().firstValue("Content-Type"))
                        .contains("text/event-stream");
                assertThat(events.response.headers().firstValue("X-Accel-Buffering")).hasValue("no");
                begin = events.id();
                gateway.post("/topics/a", "one\ntwo");
                assertThat(events.next()).containsExactly("id: " + plus(begin, 1), "data: one", "data: two");
            }
            gateway.post("/topics/a", "three");
            try (var events = new Events(gateway, "/events/a", "Last-Event-ID", plus(begin, 1));
                    var other = new Events(gateway, "/events/a?after=" + begin, "Last-Event-ID", "")) {
                assertThat(events.next()).containsExactly("id: " + plus(begin, 2), "data: three");
                assertThat(other.next()).contains("data: one");
                assertThat(other.next()).contains("data: three");
            }
            IntStream.range(0, 60).forEach(i -> post(gateway, "/topics/a", "more"));
            try (var events = new Events(gateway, "/events/a", "Last-Event-ID", begin)) {
                assertThat(events.next()).startsWith("id: " + plus(begin, 62), "event: resync");
            }
        }
    }

    private static void post(RunningGateway gateway, String target, String text) {
        try {
            assertThat(gateway.post(target, text).statusCode()).isEqualTo(200);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aSilentStreamGetsComments() throws Exception {
        try (var gateway = start("heartbeat = 100ms, idle = 5s");
                var events = new Events(gateway, "/events/a")) {
            events.id();
            assertThat(events.lines.readLine()).isEqualTo(":");
            assertThat(events.lines.readLine()).isEqualTo(":");
        }
    }

    @Test
    void aClientThatComesBackKeepsItsIdAndGetsATimeOfItsOwnToWait() throws Exception {
        try (var gateway = start("heartbeat = 100ms")) {
            String last;
            try (var events = new Events(gateway, "/events/a")) {
                last = events.id();
            }
            var times = new HashSet<Integer>();
            for (int i = 0; i < 4; i++) {
                try (var events = new Events(gateway, "/events/a", "Last-Event-ID", last)) {
                    String retry = events.lines.readLine();
                    assertThat(retry).startsWith("retry: ");
                    times.add(Integer.valueOf(retry.substring("retry: ".length())));
                    // A blank line before an id would set the client's last event id to none.
                    assertThat(events.lines.readLine()).isEqualTo(":");
                }
            }
            assertThat(times).hasSizeGreaterThan(1).allSatisfy(millis ->
                    assertThat(millis).isBetween(1_000, 5_000));
        }
    }

    @Test
    void aClientThatDoesNotReadIsToldWhatItMissed() throws Exception {
        try (var gateway = start(""); var events = new Events(gateway, "/bare/a")) {
            String begin = events.id();
            String large = "x".repeat(64 * 1024);
            for (int i = 0; i < 200; i++) {
                post(gateway, "/shout/a", i + " " + large);
            }
            post(gateway, "/shout/a", "end");
            String seen = begin;
            boolean told = false;
            List<String> event = events.next();
            while (!event.contains("data: end")) {
                String id = event.getFirst().substring("id: ".length());
                boolean resync = event.contains("event: resync");
                assertThat(resync || id.equals(plus(seen, 1))).as(id + " after " + seen).isTrue();
                told |= resync;
                seen = id;
                event = events.next();
            }
            assertThat(told).isTrue();
            assertThat(gateway.getAdmin("/metrics").body())
                    .containsPattern("sluice_topics_dropped_total\\{reason=\"oldest\",topics=\"bare\"} [1-9]")
                    .contains("sluice_topics_dropped_total{reason=\"not_latest\",topics=\"bare\"} 0");
        }
    }

    @Test
    void aReloadThatRemovesTheRouteEndsItsStreamsAndADrainTheOthers() throws Exception {
        try (var gateway = start(""); var events = new Events(gateway, "/events/a");
                var kept = new Events(gateway, "/bare/a")) {
            events.id();
            kept.id();
            gateway.reload(ROUTES.formatted("").replace("events { path", "now { path"));
            assertThat(events.next()).isEmpty();
            post(gateway, "/shout/a", "hi");
            assertThat(kept.next()).contains("data: hi");

            var closed = CompletableFuture.runAsync(gateway::stop);
            assertThat(kept.next()).isEmpty();
            closed.get(60, TimeUnit.SECONDS);
        }
    }

    private static HttpRequest poll(RunningGateway gateway, String target) {
        return gateway.request(target).header("Accept", "application/json").build();
    }

    @Test
    void aPollGetsMessagesAsSoonAsThereAreSome() throws Exception {
        try (var gateway = start("poll-wait = 30s")) {
            String first = gateway.send(gateway.request("/events/a")).body();
            String begin = first.replaceAll(".*\"last\":\"|\".*", "");
            assertThat(first).isEqualTo("{\"messages\":[],\"last\":\"" + begin + "\"}");
            CompletableFuture<HttpResponse<String>> waiting = gateway.client().sendAsync(
                    poll(gateway, "/events/a?after=" + begin), HttpResponse.BodyHandlers.ofString());
            assertThat(waiting).isNotDone();
            gateway.post("/topics/a", "one");
            String id = plus(begin, 1);
            assertThat(waiting.get(60, TimeUnit.SECONDS).body()).isEqualTo(
                    "{\"messages\":[{\"id\":\"%s\",\"data\":\"one\"}],\"last\":\"%s\"}".formatted(id, id));
            gateway.post("/topics/a", "two");
            var data = new ArrayList<String>();
            for (String last = begin; data.size() < 2; last = plus(begin, data.size())) {
                // The second may be in the next response, if an event loop has needed 0.5 ms for the first.
                String response = gateway.client().send(poll(gateway, "/events/a?after=" + last),
                        HttpResponse.BodyHandlers.ofString()).body();
                DATA.matcher(response).results().forEach(message -> data.add(message.group(1)));
            }
            assertThat(data).containsExactly("one", "two");
            assertThat(gateway.client().send(poll(gateway, "/events/a?after=x"),
                    HttpResponse.BodyHandlers.ofString()).body()).contains("\"resync\":true");
        }
    }

    @Test
    void aClientThatExcludesOrDoesNotPreferAStreamPolls() throws Exception {
        try (var gateway = start("poll-wait = 50ms")) {
            for (String accept : List.of("*/*", "text/*", "text/event-stream;q=0",
                    "*/*, text/event-stream;q=0",
                    "text/event-stream;q=0.5, application/json")) {
                assertThat(gateway.send(gateway.request("/events/a").header("Accept", accept)).headers()
                        .firstValue("Content-Type")).as(accept).hasValue("application/json");
            }
        }
    }

    @Test
    void aHeadRequestDoesNotWait() throws Exception {
        try (var gateway = start("poll-wait = 10m")) {
            String begin = gateway.send(gateway.request("/events/a")).body()
                    .replaceAll(".*\"last\":\"|\".*", "");
            for (String accepted : List.of("application/json", "text/event-stream")) {
                HttpResponse<String> head = gateway.send(gateway.request("/events/a?after=" + begin)
                        .header("Accept", accepted).timeout(Duration.ofSeconds(60)).HEAD());
                assertThat(head.statusCode()).isEqualTo(200);
                assertThat(head.headers().firstValue("Content-Type")).hasValue(accepted);
            }
            await().untilAsserted(() -> assertThat(gateway.getAdmin("/metrics").body())
                    .contains("sluice_topics_subscribers{topics=\"news\"} 0.0"));
        }
    }

    @Test
    void aPollWithoutMessagesEndsEmptyAndOneOverASocketToo() throws Exception {
        try (var gateway = start("poll-wait = 50ms"); var socket = SocketClient.connect(gateway, "/rpc")) {
            String first = gateway.send(gateway.request("/events/a")).body();
            String begin = first.replaceAll(".*\"last\":\"|\".*", "");
            String empty = "{\"messages\":[],\"last\":\"" + begin + "\"}";
            assertThat(gateway.send(gateway.request("/events/a?after=" + begin)).body()).isEqualTo(empty);
            socket.send("{\"id\":1,\"path\":\"/events/a\",\"query\":{\"after\":\"" + begin + "\"}}");
            assertThat(socket.next()).isEqualTo("{\"id\":1,\"status\":200,\"body\":" + empty + "}");
        }
    }
}
