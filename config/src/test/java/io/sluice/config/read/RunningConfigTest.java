package io.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.config.HoconFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
             "sockets":{"echo":3,"topic":4,"same":5,"none":0,"proxy":6}}
            """;

    @TempDir
    private Path directory;
    private HoconFile file;

    @BeforeEach
    void useTheDirectory() {
        file = new HoconFile(directory);
    }

    @Test
    void tellsWhoseSocketsAReloadCloses() {
        RunningConfig running = RunningConfig.parse(RUNNING);

        assertThat(running.socketsClosedBy(file.load(ROUTES.formatted("a", "1KiB")))).isEmpty();
        assertThat(running.socketsClosedBy(file.load(ROUTES.formatted("b", "2KiB"))))
                .isEqualTo(Map.of("echo", 3, "topic", 4, "proxy", 6));
        assertThat(running.socketsClosedBy(file.load("")))
                .isEqualTo(Map.of("echo", 3, "topic", 4, "same", 5, "proxy", 6));
    }

    @Test
    void tellsWhatAReloadChanges() {
        ConfigDiff diff = RunningConfig.parse(RUNNING)
                .changesTo(file.load(ROUTES.formatted("b", "1KiB") + "sluice.server.backlog = 7"));

        assertThat(diff.toString()).contains("sluice.routes.text.text: a -> b\n",
                "sluice.server.backlog: 1024 -> 7 (needs a restart)\n").doesNotContain("server.port");
    }

    @Test
    void refusesWhatIsNone() {
        for (String json : List.of("not found", "{}")) {
            assertThatThrownBy(() -> RunningConfig.parse(json)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
