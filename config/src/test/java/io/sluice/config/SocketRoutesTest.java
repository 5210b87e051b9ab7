package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks of WebSocket routes that concern more than a single value. */
class SocketRoutesTest {
    private static final String CODE = "path = /x, handler = ws-code, pool = p, ";

    @TempDir
    private Path directory;
    private HoconFile file;

    @BeforeEach
    void useTheDirectory() {
        file = new HoconFile(directory);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            handler = ws-topic, path = "/x/{topic}", topics = new | topics: new (expected: one of news; did \
            you mean news?)
            handler = publish, path = "/x/{topic}", topics = nws | topics: nws (expected: one of news; did \
            you mean news?)
            handler = ws-topic, path = "/x/{name}", topics = news | path: /x/{name} (expected: a path with \
            {topic}, such as /topics/{topic})
            handler = publish, path = /x, topics = news | path: /x (expected: a path with {topic}, such as \
            /topics/{topic})
            handler = ws-rpc, path = /x, methods = [GET, POST] | methods: [GET, POST] (expected: GET alone, \
            with which WebSockets are opened)
            handler = ws-code, path = /x, pool = q | pool: q (expected: one of p)
            """)
    void invalidSocketKeysAreReported(String route, String problem) {
        assertThat(file.problems(
                "sluice { topics.news {}, offload.pools.p {}\n routes.x { " + route + " } }"))
                .containsExactly("main.conf:2: sluice.routes.x." + problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            program.wall-time = 10s | 10s | less than the deadline of pool p, 10s
            program.wall-time = 5s, deadline = 5s | 5s | less than the route's deadline, 5s
            deadline = 8s | 8s | less than the route's deadline, 8s
            """)
    void aProgramEndsBeforeItsDeadline(String written, String wallTime, String expected) {
        assertThat(file.problems("sluice { offload.pools.p {}, routes.x { " + CODE + written + " } }"))
                .singleElement().asString().endsWith("sluice.routes.x.program.wall-time: " + wallTime
                        + " (expected: " + expected + ")");
    }

    @Test
    void defaultsAreValid() {
        assertThat(file.load("sluice { offload.pools.p {}, topics.news {}\n routes { a { " + CODE + " }\n"
                + "b { path = \"/b/{topic}\", handler = ws-topic, topics = news }\n"
                + "c { path = \"/c/{topic}\", handler = publish, topics = news }\n"
                + "d { path = /d, handler = ws-rpc }\n e { path = /e, handler = ws-echo } } }").routes())
                .hasSize(5);
    }
}
