package io.sluice.config.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.HoconFile;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CrossChecksTest {
    @TempDir
    private Path directory;
    private HoconFile file;

    @BeforeEach
    void useTheDirectory() {
        file = new HoconFile(directory);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            databases.shop.pool      | jbdc | one of compute, jdbc; did you mean jdbc?
            databases.shop.pool      | ""   | one of compute, jdbc
            routes.cpu.pool          | x    | one of compute, jdbc
            routes.delay.pool        | x    | one of compute, jdbc
            routes.query.database    | ship | one of shop; did you mean shop?
            """)
    void referencesMustLeadSomewhere(String key, String value, String expected) {
        assertThat(file.problemsOfSampleWith(key + " = " + value)).containsExactly(
                "main.conf:2: sluice.%s: %s (expected: %s)".formatted(key, value, expected));
    }

    @Test
    void referencesSayWhereNothingIsDefined() {
        assertThat(file.problems("""
                sluice.databases.shop { url = x, pool = a.b }
                sluice.routes.x { path = /x, handler = cpu, algorithm = sieve, pool = "" }
                """)).containsExactly(
                "main.conf:1: sluice.databases.shop.pool: a.b (expected: a pool that is defined; none is)",
                "main.conf:2: sluice.routes.x.pool: \"\" (expected: a pool that is defined; none is)");
    }

    @Test
    void aReferenceInADefaultIsToldOnceHoweverManyUseIt() {
        assertThat(file.problems("""
                sluice.handler-defaults.cpu { algorithm = sieve, pool = x }
                sluice.routes { a { path = /a, handler = cpu }, b { path = /b, handler = cpu } }
                """)).containsExactly("main.conf:1: sluice.handler-defaults.cpu.pool: x "
                + "(expected: a pool that is defined; none is)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"offload", "offload.pools", "databases"})
    void referencesIntoAnInvalidSectionAreNotReported(String key) {
        assertThat(file.problemsOfSampleWith(key + " = 5"))
                .containsExactly("main.conf:2: sluice." + key + ": 5 (expected: an object { … })");
    }

    @Test
    void noPortIsOpenedTwice() {
        file.write("a.pem", "");
        assertThat(file.problems("sluice.server.port = 8081")).containsExactly(
                "main.conf:1: sluice.admin.port: 8081 (expected: another one than server.port)");
        assertThat(file.problems("""
                sluice.server { port = 8443, reuse-port = true }
                sluice.tls { certificate = "%1$s", private-key = "%1$s" }
                """.formatted(directory.resolve("a.pem")))).containsExactly(
                "main.conf:1: sluice.tls.port: 8443 (expected: another one than server.port)");
        assertThat(file.load("sluice { server.port = 0, admin.port = 0 }").routes()).isEmpty();
        assertThat(file.load("sluice { server.port = 9, server.host = 127.0.0.1, admin.port = 9, "
                + "admin.host = 127.0.0.2 }").routes()).isEmpty();
    }

    @Test
    void waitingOnAThreadNeedsAPool() {
        String delay = "sluice.routes.x { path = /x, handler = delay, mode = %s }";

        assertThat(file.load(delay.formatted("timer")).routes()).containsKey("x");
        for (String mode : new String[] {"blocking", "blocking, pool = null"}) {
            assertThat(file.problems(delay.formatted(mode))).containsExactly("main.conf:1: sluice.routes.x"
                    + ".pool: missing (expected: the pool whose workers sleep, or mode = timer)");
        }
        assertThat(file.problems(delay.formatted("blocking, pool = {}")))
                .containsExactly("main.conf:1: sluice.routes.x.pool: {} (expected: a text)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            duration = 11s | duration: 11s (expected: at most max, 10s)
            max = 50ms     | max: 50ms (expected: at least duration, 100ms)
            """)
    void noDefaultWaitIsLongerThanTheLongest(String written, String problem) {
        assertThat(file.problems("sluice.routes.x { path = /x, handler = delay, " + written + " }"))
                .containsExactly("main.conf:1: sluice.routes.x." + problem);
    }

    @Test
    void fibonacciHasASmallerDefaultThanTheSieve() {
        String cpu = "sluice { offload.pools.p {}, routes.x { path = /x, handler = cpu, pool = p, %s } }";

        assertThat(file.load(cpu.formatted("algorithm = sieve, default = 91")).routes()).hasSize(1);
        assertThat(file.load(cpu.formatted("algorithm = fibonacci, default = 90")).routes()).hasSize(1);
        assertThat(file.problems(cpu.formatted("algorithm = fibonacci, default = 91")))
                .containsExactly("main.conf:1: sluice.routes.x.default: 91 (expected: 0..90 for fibonacci)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            sql = "SELECT :id, :color, :size" | sql: :size (expected: parameters { size { type = … } } for it)
            parameters.colour.type = text | parameters.colour: unknown parameter (expected: one of color, \
            id; did you mean color?)
            parameters."i.d".type = text  | parameters."i.d": unknown parameter (expected: one of color, id; \
            did you mean id?)
            parameters.color.from = path  | parameters.color.from: path (expected: a {color} in /items/{id})
            """)
    void parametersStandInTheSqlAndWhereTheySayTheyDo(String written, String problem) {
        assertThat(file.problemsOfSampleWith("routes.query." + written))
                .containsExactly("main.conf:2: sluice.routes.query." + problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text, text = a", "json, body {}"})
    void fixedResponsesNeedNoFurtherFields(String kind) {
        assertThat(file.problems("sluice.routes.x { path = /x, handler = %s, status = 401 }".formatted(kind)))
                .containsExactly("main.conf:1: sluice.routes.x.status: 401 (expected: none of 206, 401, 405, "
                        + "407 and 426, which need further header fields)");
    }

    @Test
    void headerValuesHaveNoControlCharacters() {
        assertThat(file.problems("sluice.server.server-header = \"a\\r\\nb: c\""))
                .containsExactly("main.conf:1: sluice.server.server-header: a??b: c "
                        + "(expected: printable ASCII without spaces at its ends, as it becomes a header)");
    }

    @Test
    void defaultsAreOfTheirParametersType() {
        assertThat(file.problemsOfSampleWith("routes.query.parameters.id.default = x"))
                .containsExactly("main.conf:2: sluice.routes.query.parameters.id.default: x "
                        + "(expected: a whole number)");
    }

    @Test
    void sqlWithoutNamesHasNoParameters() {
        assertThat(file.problemsOfSampleWith("routes.query { sql = \"SELECT 1\", parameters.color = null }"))
                .hasSize(2)
                .anyMatch(problem -> problem.endsWith(".parameters.id: unknown parameter (expected: none)"))
                .anyMatch(problem -> problem.endsWith(".parameters.color: null (expected: an object { … })"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            /a/{x}/c | [GET]        | /a/{y}/c | [GET]       | GET /a/{y}/c
            /a/{x}/c | [GET, POST]  | /a/{x}/c | [PUT, POST] | POST /a/{x}/c
            /a       | [GET, POST]  | /a       | [GET, POST] | GET /a
            /a/**    | [GET]        | /a/**    | [GET]       | GET /a/**
            /        | [GET]        | /        | [GET]       | GET /
            """)
    void twoRoutesOfOneShapeAndMethodAreOneProblem(String path, String methods, String other,
                                                  String otherMethods, String taken) {
        assertThat(file.problems(routes(path, methods, other, otherMethods)))
                .containsExactly("main.conf:2: sluice.routes.\"b.2\".path: " + other
                        + " (expected: a path of its own; " + taken + " is route a in line 1)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            /a/{x}   | [GET]   | /a/{x}   | [POST]
            /a/{x}   | [GET]   | /a/x     | [GET]
            /a/{x}   | [GET]   | /a/**    | [GET]
            /a       | [GET]   | /A       | [GET]
            /a       | [GET]   | /a       | [HEAD]
            """)
    void routesThatDifferInShapeOrMethodLiveTogether(String path, String methods, String other,
                                                    String otherMethods) {
        assertThat(file.load(routes(path, methods, other, otherMethods)).routes()).hasSize(2);
    }

    @Test
    void methodsThatCouldNotBeReadDoNotClash() {
        assertThat(file.problems(routes("/a", "[x]", "/a", "[x]"))).hasSize(2)
                .allMatch(problem -> problem.contains("methods: x"));
    }

    @Test
    void aRouteInAnotherFileIsToldWithThatFile() {
        file.write("shop.conf", "\n" + routes("/orders", "[GET]", "/", "[GET]"));

        assertThat(file.problems("include \"shop.conf\"\n\n"
                + "sluice.routes.z { handler = index, path = /orders }")).containsExactly("main.conf:3: "
                + "sluice.routes.z.path: /orders (expected: a path of its own; GET /orders is route a in "
                + "shop.conf:2)");
    }

    @Test
    void aRouteFromTheCommandLineHasNoLine() {
        assertThat(file.problems("", "sluice.routes.a.path=/", "sluice.routes.a.handler=index",
                "sluice.routes.b.path=/", "sluice.routes.b.handler=index")).singleElement().asString()
                .matches("command line: .*path: / \\(expected: a path of its own; GET / is route [ab]\\)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            write-buffer-low = 1MiB  | write-buffer-low: 1MiB (expected: at most write-buffer-high, 128KiB)
            write-buffer-high = 1KiB | write-buffer-high: 1KiB (expected: at least write-buffer-low, 32KiB)
            """)
    void watermarksBlameTheOneThatTheUserSet(String written, String problem) {
        assertThat(file.problems("sluice.server." + written))
                .containsExactly("main.conf:1: sluice.server." + problem);
    }

    private static String routes(String path, String methods, String other, String otherMethods) {
        String route = "sluice.routes.%s { handler = index, path = \"%s\", methods = %s }%n";
        return route.formatted("a", path, methods) + route.formatted("\"b.2\"", other, otherMethods);
    }
}
