package io.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.config.GatewayConfig;
import io.sluice.config.HoconFile;
import io.sluice.config.read.RunningTunnels.ByCaller;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunningConfigTest {
    private static final String ROUTES = """
            sluice.topics { a {}, b {} }
            sluice.routes {
              text { path = /text, handler = text, text = %1$s }
              echo { path = /%1$s, handler = ws-echo }
              topic { path = "/{topic}/x", handler = ws-topic, topics = %1$s }
              same { path = /same, handler = ws-echo, socket.max-message = %2$s }
              proxy { path = "/proxy/**", handler = proxy, upstream = %1$s }
            }
            sluice.upstreams { a.endpoints = ["http://localhost:1"], b.endpoints = ["http://localhost:2"] }
            """;
    /** A running configuration as Jackson serialises it. */
    private static final String RUNNING = """
            {"sluice":{"server":{"port":8080,"backlog":1024},"routes":{
              "text":{"path":"/text","handler":"text","text":"a"},
              "echo":{"path":"/a","handler":"ws-echo"},
              "topic":{"path":"/{topic}/x","handler":"ws-topic","topics":"a"},
              "same":{"path":"/same","handler":"ws-echo"},
              "proxy":{"path":"/proxy/**","handler":"proxy","upstream":"a"}}},
             "sockets":{"echo":{"config":"0123","callers":[
               {"caller":null,"token":null,"open":3},{"caller":"alice","token":"4567","open":2}]}}}
            """;

    @TempDir
    private Path directory;
    private HoconFile file;

    @BeforeEach
    void useTheDirectory() {
        file = new HoconFile(directory);
    }

    @Test
    void readsTheSocketsOfEachCaller() {
        assertThat(RunningConfig.parse(RUNNING).sockets()).isEqualTo(Map.of("echo", new RunningTunnels("0123",
                List.of(new ByCaller(null, null, 3), new ByCaller("alice", "4567", 2)))));
    }

    @Test
    void socketsClosedByAReloadAreCountedByRoute() {
        RunningConfig running = running(ROUTES.formatted("a", "1KiB"), "echo", "topic", "same", "proxy");

        assertThat(running.socketsClosedBy(file.load(ROUTES.formatted("a", "2KiB")))).isEmpty();
        assertThat(running.socketsClosedBy(file.load(ROUTES.formatted("b", "2KiB"))))
                .isEqualTo(Map.of("echo", 1, "topic", 1, "proxy", 1));
        assertThat(running.socketsClosedBy(file.load("")))
                .isEqualTo(Map.of("echo", 1, "topic", 1, "same", 1, "proxy", 1));
    }

    /** Subscribers depend on the bus and the presence of their topics, not on the history. */
    @ParameterizedTest
    @CsvSource({"history {}, 0", "bus = b, 1", "'bus = a, presence {}', 1", "'bus = a, last-messages = 1', 0",
            "'bus = a }, buses.a { queue-limit = 9', 1"})
    void countsSubscribersWhoseBusOrPresenceChanges(String topics, int closed) {
        String events = """
                sluice {
                  buses { a { url = "redis://localhost" }, b { url = "redis://127.0.0.1" } }
                  routes.events { path = "/{topic}", handler = events, topics = news }
                  topics.news { %s }
                }
                """;
        RunningConfig running = running(events.formatted("bus = a"), "events");
        String next = topics.startsWith("history") ? "bus = a, " + topics : topics;

        assertThat(running.socketsClosedBy(file.load(events.formatted(next))).values().stream()
                .mapToInt(Integer::intValue).sum()).isEqualTo(closed);
    }

    private RunningConfig running(String hocon, String... routes) {
        GatewayConfig config = file.load(hocon);
        return new RunningConfig(Map.of(), Stream.of(routes).collect(Collectors.toMap(route -> route,
                route -> new RunningTunnels(TunnelConfig.of(config, config.routes().get(route)),
                        List.of(new ByCaller(null, null, 1))))));
    }

    @Test
    void changesOfAReloadAreListed() {
        ConfigDiff diff = RunningConfig.parse(RUNNING)
                .changesTo(file.load(ROUTES.formatted("b", "1KiB") + "sluice.server.backlog = 7"));

        assertThat(diff.toString()).contains("sluice.routes.text.text: a -> b\n",
                "sluice.server.backlog: 1024 -> 7 (needs a restart)\n").doesNotContain("server.port");
    }

    @Test
    void invalidResponsesAreRejected() {
        for (String json : List.of("not found", "{}")) {
            assertThatThrownBy(() -> RunningConfig.parse(json)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
