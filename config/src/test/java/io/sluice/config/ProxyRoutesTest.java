package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is checked of routes to upstreams beyond their single values. */
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

        assertThat(proxy.stripPrefix()).isEmpty();
        assertThat(proxy.rewrite()).isEmpty();
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
            rewrite = "/caf\u00e9"    | rewrite: caf\u00e9 (expected: letters, digits and -._~!$&'()+,=:@ in a segment)
            rewrite = "/..;"          | rewrite: ..; (expected: letters, digits and -._~!$&'()+,=:@ in a segment)
            """)
    void sayWhatDoesNotFit(String written, String problem) {
        assertThat(file.problems(PROXY.formatted(written)))
                .containsExactly("main.conf:2: sluice.routes.x." + problem);
    }

    @Test
    void sayAllThatDoesNotFitAtOnce() {
        assertThat(file.problems(PROXY.formatted("strip-prefix = /y, rewrite = \"/{a}/{b}/;\""))).hasSize(5);
    }
}
