package io.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.config.FilterConfig;
import io.sluice.config.GatewayConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.key.Range;
import io.sluice.config.key.Ref;
import io.sluice.config.problem.ConfigException;
import io.sluice.config.type.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Plug-ins: handler and filter records of other jars, here the kind {@code slow-echo} and the filter {@code
 * x-audit}.
 */
class PluginsTest {
    private static final String ROUTE = "sluice.routes.x { path = /x, handler = slow-echo, %s }\n"
            + "sluice.offload.pools.io { workers = 1 }";

    @TempDir
    private Path directory;
    private Plugins plugins;

    record SlowEcho(@Ref("offload.pools") String pool, Duration pause) implements HandlerConfig.Plugin {
        SlowEcho {
            if (pause != null && pause.isNegative()) {
                throw new IllegalArgumentException("pause: negative");
            }
        }
    }

    record XAudit(String header, @Range(max = 9) int level, Optional<Secret> key) implements FilterConfig {
    }

    record Other() implements FilterConfig {
    }

    @BeforeEach
    void addThem() throws IOException {
        Path defaults = write("reference.conf", """
                sluice {
                  handler-defaults.slow-echo { pause = 1s, deadline = 5s }
                  x-audit-defaults { level = 3 }
                }
                """);
        plugins = new Plugins(List.of(SlowEcho.class), List.of(XAudit.class, Other.class),
                List.of(defaults.toUri().toURL()));
    }

    private Path write(String name, String hocon) throws IOException {
        return Files.writeString(directory.resolve(name), hocon);
    }

    private LoadedConfig load(String keys) throws IOException {
        return new ConfigLoader(Map.of(), plugins).load(write("main.conf", ROUTE.formatted(keys)));
    }

    @Test
    void areBoundWithTheDefaultsOfTheirJar() throws IOException {
        var route = load("pool = io, x-audit { header = a }, other {}").config().routes().get("x");

        assertThat(route.handler()).isEqualTo(new SlowEcho("io", Duration.ofSeconds(1)));
        assertThat(route.deadline()).hasValue(Duration.ofSeconds(5));
        assertThat(route.filters()).containsExactly(new Other(), new XAudit("a", 3, Optional.empty()));
    }

    /** Compares the running configuration with the next one, as the gateway does at a reload. */
    @ParameterizedTest
    @CsvSource({"max-body = 1KiB, 1, false", "pause = 2s, 1, true", "pause = 1s, 2, true"})
    void loseTheirTunnelsWhereTheirKeysOrTheirPoolsChange(String key, int workers, boolean lose)
            throws IOException {
        String config = "sluice.routes.x { path = /x, handler = slow-echo, pool = io, %s }\n"
                + "sluice.offload.pools.io.workers = %d";
        var loader = new ConfigLoader(Map.of(), plugins);
        GatewayConfig first = loader.load(write("main.conf", config.formatted("", 1))).config();
        var open = new RunningTunnels(TunnelConfig.of(first, first.routes().get("x")),
                List.of(new RunningTunnels.ByCaller(null, null, 7)));
        var running = new RunningConfig(Map.of(), Map.of("x", open));
        GatewayConfig next = loader.load(write("main.conf", config.formatted(key, workers))).config();

        assertThat(running.socketsClosedBy(next)).isEqualTo(lose ? Map.of("x", 7) : Map.of());
    }

    @Test
    void haveTheDefaultsOfAllRoutesAndOfTheirKind() throws IOException {
        String all = "pool = io }\nsluice { route-defaults.x-audit.header = b, x-audit-defaults.level = 4,"
                + " handler-defaults.slow-echo { pause = 2s }, routes.y { path = /y, handler = index,"
                + " x-audit = null }";
        Map<String, ?> routes = load(all).config().routes();

        assertThat(routes.get("x")).hasFieldOrPropertyWithValue("handler",
                new SlowEcho("io", Duration.ofSeconds(2)));
        assertThat(routes.get("x")).hasFieldOrPropertyWithValue("filters",
                List.of(new XAudit("b", 4, Optional.empty())));
        assertThat(routes.get("y")).hasFieldOrPropertyWithValue("filters", List.of());
    }

    @Test
    void areShownWithTheirOriginsAndCompared() throws IOException {
        LoadedConfig loaded = load("pool = io, x-audit { header = a, key = hidden }");
        GatewayConfig without = load("pool = io, pause = 9s").config();

        assertThat(loaded.effective().toString()).contains("sluice.routes.x.handler = \"slow-echo\"",
                        "sluice.routes.x.pause = \"1s\"  # " + directory.resolve("reference.conf") + ":2",
                        "sluice.routes.x.x-audit.level = 3  # " + directory.resolve("reference.conf") + ":3")
                .contains("sluice.routes.x.x-audit.key").doesNotContain("hidden");
        assertThat(ConfigDiff.between(loaded.config(), without).toString()).isEqualTo("""
                sluice.routes.x.x-audit removed
                sluice.routes.x.pause: 1s -> 9s
                """);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            pool = oi | .routes.x.pool: oi (expected: one of io)
            paus = 1s, pool = io | .routes.x.paus = 1s: unknown key (expected: one of compression, cors, \
            deadline, first-byte, handler, idle, max-body, methods, other, path, pause, pool, tokens, \
            x-audit; did you mean pause?)
            pool = io, pause = -1s | .routes.x: pause: negative
            pool = io, x-audit {} | .routes.x.x-audit.header: missing (expected: a text)
            pool = io, x-audit { header = a, level = 10 } | .routes.x.x-audit.level: 10 (expected: 0..9)
            pool = io, x-audit = yes | .routes.x.x-audit: yes (expected: an object { … })
            pool = io, x-audit-defaults { level = 1 } | .routes.x.x-audit-defaults: unknown key (expected: \
            one of compression, cors, deadline, first-byte, handler, idle, max-body, methods, other, path, \
            pause, pool, tokens, x-audit)
            """)
    void tellMistakesWithFileAndLine(String keys, String problem) {
        var refused = catchThrowableOfType(ConfigException.class, () -> load(keys));

        assertThat(refused.problems()).singleElement()
                .hasToString(directory.resolve("main.conf") + ":1: sluice" + problem);
    }

    @Test
    void tellMistakesInTheDefaultsOfAJar() throws IOException {
        write("reference.conf", "sluice.x-audit-defaults.levl = 1\n"
                + "sluice.handler-defaults.slow-echo.pause = 1s");
        var refused = catchThrowableOfType(ConfigException.class, () -> load("pool = io"));

        assertThat(refused).hasMessageContaining("reference.conf:1: sluice.x-audit-defaults.levl = 1:");
    }

    @Test
    void builtInNamesAreReserved() {
        assertThat(Plugins.name(XAudit.class)).isEqualTo("x-audit");
        assertThat(Plugins.reserved()).contains("ws-rpc", "cors", "sql", "route", "socket", "database")
                .doesNotContain("plugin", "headers", "x-audit");
    }
}
