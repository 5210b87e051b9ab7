package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.type.OriginPattern;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SocketConfigTest {
    private static final String ROUTE = "sluice.routes.x { path = /x, handler = ws-echo, socket { %s } }";

    @TempDir
    private Path directory;
    private HoconFile file;

    @BeforeEach
    void useTheDirectory() {
        file = new HoconFile(directory);
    }

    private SocketConfig load(String hocon) {
        return ((HandlerConfig.WsEcho) file.load(hocon).routes().get("x").handler()).socket();
    }

    @Test
    void missingKeysGetTheirDefaults() {
        SocketConfig socket = load("sluice.socket-defaults.ping-interval = 5s\n"
                + ROUTE.formatted("idle-timeout = 7s, subprotocols = [a, b]"));

        assertThat(socket.pingInterval()).isEqualTo(Duration.ofSeconds(5));
        assertThat(socket.idleTimeout()).isEqualTo(Duration.ofSeconds(7));
        assertThat(socket.closeTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(socket.maxMessage().bytes()).isEqualTo(16 << 20);
        assertThat(socket.origins()).containsExactly(new OriginPattern("self"));
        assertThat(socket.subprotocols()).hasValueSatisfying(names ->
                assertThat(names).containsExactlyInAnyOrder("a", "b"));
    }

    @Test
    void pingsBeforeItGivesUp() {
        assertThat(load(ROUTE.formatted("ping-interval = 999ms, idle-timeout = 1s")).pingInterval())
                .isEqualTo(Duration.ofMillis(999));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ping-interval = 75s | ping-interval: 75s (expected: less than idle-timeout, 75s)
            ping-interval = 2m | ping-interval: 2m (expected: less than idle-timeout, 75s)
            idle-timeout = 30s | idle-timeout: 30s (expected: more than ping-interval, 30s)
            ping-interval = 3s, idle-timeout = 2s | ping-interval: 3s (expected: less than idle-timeout, 2s)
            """)
    void doesNotGiveUpBeforeItPings(String written, String problem) {
        assertThat(file.problems(ROUTE.formatted(written)))
                .containsExactly("main.conf:1: sluice.routes.x.socket." + problem);
    }

    @Test
    void invalidDefaultIsReportedOnce() {
        assertThat(file.problems("""
                sluice.socket-defaults.ping-interval = 80s
                sluice.routes.a { path = /a, handler = ws-echo }
                sluice.routes.b { path = /b, handler = ws-rpc }
                """)).singleElement().asString().startsWith("main.conf:1: ")
                .endsWith("ping-interval: 80s (expected: less than idle-timeout, 75s)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"max-frame = 124", "max-message = 124B", "max-frame = 2GiB",
        "ping-interval = 9ms", "idle-timeout = 25h", "close-timeout = 0s", "origins = [example.com]",
        "compression = maybe"})
    void valuesOutOfRangeAreReported(String written) {
        assertThat(file.problems(ROUTE.formatted(written))).singleElement().asString()
                .contains("sluice.routes.x.socket." + written.substring(0, written.indexOf(' ')));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ["a b"]                | a b
            ["a,b"]                | a,b
            [a, ""]                | ""
            ["a\\r\\nX: b", c, "d;"] | a??X: b
            ["é"]                  | ?
            """)
    void subprotocolsAreTokensAsTheyBecomeHeaders(String written, String value) {
        assertThat(file.problems(ROUTE.formatted("subprotocols = " + written))).first().isEqualTo(
                "main.conf:1: sluice.routes.x.socket.subprotocols: " + value
                        + " (expected: a token, such as v2.chat)");
    }
}
