package io.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.CompressionConfig.Encoding;
import io.sluice.config.CorsConfig;
import io.sluice.config.HoconFile;
import io.sluice.config.RouteConfig;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.HeaderName;
import io.sluice.config.type.OriginPattern;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compression and CORS: off unless the route or the defaults of all routes configure them. */
class RouteFiltersTest {
    private static final String ROUTE = "sluice.routes.x { path = /x, handler = index, %s }";

    @TempDir
    private Path directory;
    private HoconFile file;

    @BeforeEach
    void useTheDirectory() {
        file = new HoconFile(directory);
    }

    private RouteConfig route(String written) {
        return file.load(ROUTE.formatted(written)).routes().get("x");
    }

    @Test
    void filtersAreOffByDefault() {
        RouteConfig route = route("");

        assertThat(route.compression()).isEmpty();
        assertThat(route.cors()).isEmpty();
    }

    @Test
    void missingKeysGetTheirDefaults() {
        RouteConfig route = route("compression { min-size = 2KiB }, cors.origins = [\"*\"]");

        assertThat(route.compression().orElseThrow().minSize()).isEqualTo(new ByteSize(2048));
        assertThat(route.compression().orElseThrow().encodings())
                .containsExactly(Encoding.ZSTD, Encoding.BR, Encoding.GZIP);
        CorsConfig cors = route.cors().orElseThrow();
        assertThat(cors.expose()).contains(new HeaderName("X-Request-Id"), new HeaderName("Location"));
        assertThat(cors).isEqualTo(new CorsConfig(Set.of(OriginPattern.ANY), Set.of(HeaderName.ANY),
                cors.expose(), false, Duration.ofMinutes(10)));
    }

    @Test
    void routeOverridesTheFiltersOfAllRoutes() {
        String all = " }\nsluice.route-defaults { compression = {}, cors.origins = [\"https://a.b\"]";
        RouteConfig route = route(all);
        RouteConfig plain = route("compression = null, cors = null" + all);
        RouteConfig other = route("cors.max-age = 1s" + all);

        assertThat(route.compression()).isPresent();
        assertThat(route.cors()).isPresent();
        assertThat(plain.compression()).isEqualTo(Optional.empty());
        assertThat(plain.cors()).isEqualTo(Optional.empty());
        assertThat(other.cors().orElseThrow().origins()).containsExactly(new OriginPattern("https://a.b"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            cors = {} | cors.origins: missing (expected: a list [ … ] of at least one)
            cors = on | cors: on (expected: an object { … })
            cors.origins = [] | cors.origins: [] (expected: a list [ … ] of at least one)
            cors.origins = [a.com] | cors.origins: a.com (expected: *, self, or an origin such \
            as https://app.example.com or http://localhost:*)
            cors { origins = ["*"], credentials = true } | cors.origins: * (expected: origins by name where \
            credentials = true)
            cors { origins = [self], expose = ["*"], credentials = true } | cors.expose: * (expected: \
            headers by name where credentials = true)
            cors { origins = [self], expose = ["X-ä"] } | cors.expose: X-ä (expected: the name of a \
            header, such as Content-Type, or *)
            cors { origins = [self], max-age = 2d } | cors.max-age: 2d (expected: a duration with its \
            unit, such as 250ms, 5s or 2m; 0s..24h)
            compression = yes | compression: yes (expected: an object { … })
            compression.encodings = [] | compression.encodings: [] (expected: a list [ … ] of at least \
            one)
            compression.encodings = [deflate] | compression.encodings: deflate (expected: one of \
            br, gzip, zstd)
            compression.types = ["*/*"] | compression.types: */* (expected: a media type, such as \
            text/html, text/*, application/*json)
            """)
    void invalidFilterKeysAreReported(String written, String problem) {
        assertThat(file.problems(ROUTE.formatted(written)))
                .containsExactly("main.conf:1: sluice.routes.x." + problem);
    }
}
