package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Host that an upstream gets. */
class ProxyHostTest {
    private static final String PROXY = """
            sluice { upstreams.u.endpoints = ["http://a"]
            routes.x { path = "/x", handler = proxy, upstream = u, %s } }""";

    @TempDir
    private Path directory;
    private HoconFile file;

    @BeforeEach
    void useTheDirectory() {
        file = new HoconFile(directory);
    }

    private String load(String keys) {
        var proxy = (HandlerConfig.Proxy) file.load(PROXY.formatted(keys)).routes().get("x").handler();
        return proxy.host();
    }

    @Test
    void isThatOfTheClient() {
        assertThat(load("")).isEqualTo("keep");
    }

    @ParameterizedTest
    @ValueSource(strings = {"keep", "endpoint", "shop.internal", "Shop_1:8080", "10.0.0.1:65535", "[::1]",
            "[2001:db8::7]:80"})
    void mayBe(String host) {
        assertThat(load("host = \"" + host + '"')).isEqualTo(host);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "a b", "http://x", "KEEP", "Endpoint", "a/b", "user@a", "a,b", "a:",
            "a:65536", "a:b", "::1", "[10.0.0.1]", "[:]", "[::1", ":80"})
    void isNot(String host) {
        String written = host.equals("\"\"") ? host : '"' + host + '"';

        assertThat(file.problems(PROXY.formatted("host = " + written))).containsExactly(
                "main.conf:2: sluice.routes.x.host: " + host + " (expected: keep, endpoint, or a host with "
                + "an optional port, such as shop.internal:8080)");
    }
}
