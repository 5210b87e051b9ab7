package io.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.HoconFile;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DefaultsCheckTest {
    @TempDir
    private Path directory;
    private HoconFile file;

    @BeforeEach
    void useTheDirectory() {
        file = new HoconFile(directory);
    }

    @Test
    void aMistakeInADefaultIsToldOnceHoweverManyUseIt() {
        assertThat(file.problems("sluice.offload {\n pool-defaults.workers = 0\n pools { a {}, b {} }\n}"))
                .containsExactly("main.conf:2: sluice.offload.pool-defaults.workers: 0 (expected: 1..10000)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            offload.pool-defaults.workers = many | offload.pool-defaults.workers: many (expected: 1..10000)
            offload.pool-defaults.wokers = 1 | offload.pool-defaults.wokers = 1: unknown key (expected: \
            one of client-grace, client-share, deadline, kind, queue-limit, workers; \
            did you mean workers?)
            database-defaults.probe-interval = 1 | database-defaults.probe-interval: 1 (expected: a duration \
            with its unit, such as 250ms, 5s or 2m; 100ms..1h)
            route-defaults.methods = [] | route-defaults.methods: [] (expected: a list [ … ] of at least one)
            route-defaults.handler = text | route-defaults.handler = text: unknown key (expected: one of \
            compression, cors, deadline, first-byte, idle, max-body, methods, path, tokens)
            parameter-defaults.required = 5 | parameter-defaults.required: 5 (expected: true or false)
            handler-defaults.text.status = 99 | handler-defaults.text.status: 99 (expected: 200..599)
            handler-defaults.index.status = 5 | handler-defaults.index.status = 5: unknown key (expected: \
            one of compression, cors, deadline, first-byte, idle, max-body, methods, path, tokens)
            handler-defaults.txt.status = 201 | handler-defaults.txt: unknown handler (expected: one of cpu, \
            delay, echo, events, files, index, json, openapi, presence, proxy, publish, query, text, \
            ws-code, ws-echo, ws-rpc, ws-topic; did you mean text?)
            handler-default.text {} | handler-default: unknown key (expected: one of admin, buses, \
            databases, http2, lifecycle, log, offload, routes, server, tls, tokens, topics, \
            upstreams; did you mean handler-defaults?)
            routes-defaults.deadline = 5s | routes-defaults: unknown key (expected: one of admin, buses, \
            databases, http2, lifecycle, log, offload, routes, server, tls, tokens, topics, \
            upstreams; did you mean route-defaults?)
            offload.pools-defaults {} | offload.pools-defaults: unknown key (expected: one of pools, spill; \
            did you mean pool-defaults?)
            handler-defaults.ws-echo.socket.max-frame = no | handler-defaults.ws-echo.socket.max-frame: \
            no (expected: a size, such as 512, 8KiB or 1MiB; 125B..16MiB)
            handler-defaults.ws-rpc.socket.max-fame = 9 | handler-defaults.ws-rpc.socket.max-fame = 9: \
            unknown key (expected: one of close-timeout, compress-from, compression, idle-timeout, \
            max-frame, max-message, origins, ping-interval, subprotocols; did you mean max-frame?)
            compression-defaults.encodings = [gzip, brotli] | compression-defaults.encodings: brotli \
            (expected: one of br, gzip, zstd)
            compression-defaults.types = [text] | compression-defaults.types: text (expected: a media type, \
            such as text/html, text/*, application/*json)
            route-defaults.compression.min-size = no | route-defaults.compression.min-size: no (expected: a \
            size, such as 512, 8KiB or 1MiB; 0B..1GiB)
            route-defaults.compression.minsize = 1 | route-defaults.compression.minsize = 1: unknown key \
            (expected: one of encodings, min-size, types; did you mean min-size?)
            route-defaults.compression = on | route-defaults.compression: on (expected: an object { … })
            cors-defaults.headers = ["a b"] | cors-defaults.headers: a b (expected: the name of a header, \
            such as Content-Type, or *)
            cors-defaults.origin = "*" | cors-defaults.origin = *: unknown key (expected: one of \
            credentials, expose, headers, max-age, origins; did you mean origins?)
            route-defaults.cors.credentials = maybe | route-defaults.cors.credentials: maybe (expected: true \
            or false)
            socket-defaults.origins = [a.com] | socket-defaults.origins: a.com (expected: *, self, or \
            an origin such as https://app.example.com or http://localhost:*)
            offload.pool-defaults = 5  | offload.pool-defaults: 5 (expected: an object { … })
            database-defaults = null   | database-defaults: null (expected: an object { … })
            route-defaults = []        | route-defaults: [] (expected: an object { … })
            parameter-defaults = 5     | parameter-defaults: 5 (expected: an object { … })
            handler-defaults = 5       | handler-defaults: 5 (expected: an object { … })
            handler-defaults.text = 5  | handler-defaults.text: 5 (expected: an object { … })
            """)
    void aMistakeInADefaultIsToldEvenWhereNothingUsesIt(String written, String problem) {
        assertThat(file.problems("sluice." + written)).containsExactly("main.conf:1: sluice." + problem);
    }

    @Test
    void aDefaultThatIsTakenAwayMustBeGivenByName() {
        assertThat(file.load("sluice.handler-defaults.text.status = null").routes()).isEmpty();
        assertThat(file.problems("sluice {\n handler-defaults.text.status = null\n"
                + "routes { a { path = /a, handler = text, text = hi } } }"))
                .containsExactly("main.conf:2: sluice.routes.a.status: null (expected: 200..599)");
    }
}
