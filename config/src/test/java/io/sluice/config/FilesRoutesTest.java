package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks of static file routes that concern more than a single value. */
class FilesRoutesTest {
    private static final String FILES = "sluice { offload.pools.p {}\n"
            + "routes.x { path = \"/x/**\", handler = files, directory = /srv, pool = p, %s } }";

    @TempDir
    private Path directory;
    private HoconFile file;

    @BeforeEach
    void useTheDirectory() {
        file = new HoconFile(directory);
    }

    @Test
    void needADirectoryAndAPool() {
        RouteConfig route = file.load(FILES.formatted("")).routes().get("x");

        assertThat(route.handler())
                .isEqualTo(new HandlerConfig.Files("/srv", "index.html", Optional.empty(), "p", true));
        assertThat(route.deadline()).isEmpty();
        assertThat(file.problems("sluice.routes.x { path = \"/x/**\", handler = files }")).containsExactly(
                "main.conf:1: sluice.routes.x.directory: missing (expected: a text)",
                "main.conf:1: sluice.routes.x.pool: missing (expected: a pool that is defined; none is)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            path = "/x"            | path: /x (expected: a path that ends with **, such as /static/**)
            path = "/{x}"          | path: /{x} (expected: a path that ends with **, such as /static/**)
            methods = [GET, POST]  | methods: [GET, POST] (expected: GET and HEAD alone)
            methods = [PUT]        | methods: [PUT] (expected: GET and HEAD alone)
            directory = ""         | directory: "" (expected: a directory)
            directory = " "        | directory: "" (expected: a directory)
            index = "a/b"          | index: a/b (expected: the name of a file)
            index = "../a"         | index: ../a (expected: the name of a file)
            pool = q               | pool: q (expected: one of p)
            zero-copy = maybe      | zero-copy: maybe (expected: true or false)
            """)
    void invalidFilesKeysAreReported(String written, String problem) {
        assertThat(file.problems(FILES.formatted(written)))
                .containsExactly("main.conf:2: sluice.routes.x." + problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"\"a\\nb\" | a?b", "\" no-cache\" | ' no-cache'"})
    void cacheControlsThatAreNoHeadersAreReported(String written, String shown) {
        assertThat(file.problems(FILES.formatted("cache-control = " + written))).containsExactly(
                "main.conf:2: sluice.routes.x.cache-control: " + shown
                        + " (expected: printable ASCII without spaces at its ends, as it becomes a header)");
    }
}
