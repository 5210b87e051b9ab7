package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.type.HeaderName;
import io.sluice.config.type.Secret;
import io.sluice.config.upstream.HeaderChanges;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks of proxied routes that concern more than a single value. */
class ProxyRoutesTest {
    private static final String PROXY = """
            sluice { upstreams.u.endpoints = ["http://a"]
            routes.x { path = "/x/{id}/**", handler = proxy, upstream = u, %s } }""";

    @TempDir
    private Path directory;
    private HoconFile file;

    @BeforeEach
    void useTheDirectory() {
        file = new HoconFile(directory);
    }

    private HandlerConfig.Proxy load(String keys) {
        return (HandlerConfig.Proxy) file.load(PROXY.formatted(keys)).routes().get("x").handler();
    }

    @Test
    void needNothingButAnUpstream() {
        HandlerConfig.Proxy proxy = load("");

        assertThat(proxy.host()).isEqualTo("keep");
        assertThat(proxy.stripPrefix()).isEmpty();
        assertThat(proxy.rewrite()).isEmpty();
        assertThat(proxy.requestHeaders()).isEmpty();
        assertThat(proxy.responseHeaders()).isEmpty();
    }

    @Test
    void mayChangeHeaders() {
        HandlerConfig.Proxy proxy = load("""
                request-headers { set { X-Tenant = blue, "X.Y" = "a, b" } }
                request-headers.remove = [Cookie, X-Forwarded-For]
                response-headers.remove = []""");

        HeaderChanges request = proxy.requestHeaders().orElseThrow();
        assertThat(request.set().orElseThrow()).isEqualTo(
                Map.of("X-Tenant", new Secret("blue"), "X.Y", new Secret("a, b")));
        assertThat(request.remove().orElseThrow()).extracting(HeaderName::text)
                .containsExactly("Cookie", "X-Forwarded-For");
        assertThat(proxy.responseHeaders().orElseThrow().set()).isEmpty();
        assertThat(proxy.responseHeaders().orElseThrow().remove().orElseThrow()).isEmpty();
    }

    /** The values of headers may be credentials. */
    @Test
    void headerValuesAreMasked() {
        assertThat(file.loaded(PROXY.formatted("request-headers.set.Authorization = key")).effective()
                .toString()).contains("request-headers.set.Authorization = \"***\"").doesNotContain("key");
    }

    @ParameterizedTest
    @CsvSource({"/", "/v2/items/{id}/**", "/{id}", "/a~b/**", "/**"})
    void mayRewriteThePath(String rewrite) {
        assertThat(load("rewrite = \"" + rewrite + '"').rewrite().orElseThrow()).hasToString(rewrite);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            strip-prefix = /y         | strip-prefix: /y (expected: whole segments that the path /x/{id}/** \
            begins with, none of them a capture)
            strip-prefix = "/x/{id}"  | strip-prefix: /x/{id} (expected: whole segments that the path \
            /x/{id}/** begins with, none of them a capture)
            strip-prefix = /x, rewrite = "/**" | rewrite: /** (expected: either strip-prefix or rewrite)
            rewrite = "/a/{ID}"       | rewrite: {ID} (expected: a capture of /x/{id}/**: one of **, {id}; \
            did you mean {id}?)
            path = "/x", rewrite = "/**" | rewrite: ** (expected: a capture of /x: none)
            rewrite = "a"             | rewrite: a (expected: a path that begins with /, such as /orders/{id})
            rewrite = "/a?b"          | rewrite: /a?b (expected: segments that are literal text, a whole \
            {name}, or ** at the end)
            rewrite = "/caf\u00e9"    | rewrite: caf\u00e9 (expected: letters, digits and \
            -._~!$&'()+,=:@ in a segment)
            rewrite = "/..;"          | rewrite: ..; (expected: letters, digits and \
            -._~!$&'()+,=:@ in a segment)
            request-headers.set.Host = a | request-headers.set.Host: Host (expected: another name; the Host \
            of requests is the key host)
            request-headers.remove = [host] | request-headers.remove: host (expected: another name; the Host \
            of requests is the key host)
            request-headers.remove = [Keep_Alive] | request-headers.remove: Keep_Alive (expected: a name \
            other than those of framing and of one connection)
            response-headers.set.Content-Length = 1 | response-headers.set.Content-Length: Content-Length \
            (expected: a name other than those of framing and of one connection)
            response-headers.remove = [Sec-WebSocket-Accept] | response-headers.remove: Sec-WebSocket-Accept \
            (expected: a name other than those of the WebSocket handshake)
            response-headers.remove = [date] | response-headers.remove: date (expected: another name; the \
            gateway sets this field itself)
            request-headers.set { A = 1, a = 2 } | request-headers.set.a: a (expected: each name once; upper \
            and lower case are the same)
            request-headers.set."a b" = 1 | request-headers.set."a b": a b (expected: the name of a header, \
            such as Content-Type)
            request-headers.remove = ["*"] | request-headers.remove: * (expected: the name of a header, such \
            as Content-Type)
            request-headers.set.A = "a\\nb" | request-headers.set.A: not shown (expected: printable ASCII \
            without spaces at its ends, as it becomes a header)
            request-headers.set.A = " a" | request-headers.set.A: not shown (expected: printable ASCII \
            without spaces at its ends, as it becomes a header)
            request-headers.set.A = [1] | request-headers.set.A: not shown (expected: a text)
            request-headers.add.A = 1 | request-headers.add: unknown key (expected: one of remove, set)
            """)
    void invalidProxyKeysAreReported(String written, String problem) {
        assertThat(file.problems(PROXY.formatted(written)))
                .containsExactly("main.conf:2: sluice.routes.x." + problem);
    }

    @Test
    void severalInvalidKeysAreReportedTogether() {
        assertThat(file.problems(PROXY.formatted("strip-prefix = /y, rewrite = \"/{a}/{b}/;\""))).hasSize(5);
    }

    // --- the Host header sent to the upstream

    @ParameterizedTest
    @ValueSource(strings = {"keep", "endpoint", "shop.internal", "Shop_1:8080", "10.0.0.1:65535", "[::1]",
            "[2001:db8::7]:80"})
    void validHostsAreAccepted(String host) {
        assertThat(load("host = \"" + host + '"').host()).isEqualTo(host);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "a b", "http://x", "KEEP", "Endpoint", "a/b", "user@a", "a,b", "a:",
            "a:65536", "a:b", "::1", "[10.0.0.1]", "[:]", "[::1", ":80"})
    void invalidHostsAreReported(String host) {
        String written = host.equals("\"\"") ? host : '"' + host + '"';

        assertThat(file.problems(PROXY.formatted("host = " + written))).containsExactly(
                "main.conf:2: sluice.routes.x.host: " + host + " (expected: keep, endpoint, or a host with "
                + "an optional port, such as shop.internal:8080)");
    }
}
