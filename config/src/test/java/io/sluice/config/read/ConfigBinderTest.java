package io.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import io.sluice.config.CompressionConfig;
import io.sluice.config.CorsConfig;
import io.sluice.config.GatewayConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.HoconFile;
import io.sluice.config.ParameterConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.problem.ConfigException;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.HeaderName;
import io.sluice.config.type.MediaTypePattern;
import io.sluice.config.type.Method;
import io.sluice.config.type.NamedSql;
import io.sluice.config.type.OriginPattern;
import io.sluice.config.type.ParameterType;
import io.sluice.config.type.PathTemplate;
import io.sluice.config.type.ScalarType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigBinderTest {
    private static final String SAMPLE = "include classpath(\"sample.conf\")\n";
    private static final String SELECTION = """
            sluice.routes.rows { path = /items, handler = query, database = shop, sql = "SELECT * FROM item"
              paging.key = [id], sort.allowed = [id], filter { limit = [ge], sort = [ge] } }
            """;

    @TempDir
    private Path directory;
    private HoconFile file;

    @BeforeEach
    void useTheDirectory() {
        file = new HoconFile(directory);
    }

    @Test
    void everyKindOfRouteBindsFully() {
        Map<String, RouteConfig> routes = file.load(SAMPLE).routes();

        assertThat(routes.keySet()).containsExactly("text", "json", "echo", "index", "cpu", "delay", "query");
        assertThat(routes.get("text")).isEqualTo(new RouteConfig(PathTemplate.parse("/"),
                Set.of(Method.GET, Method.POST), Optional.of(Duration.ofSeconds(2)), Optional.empty(),
                Optional.empty(), new ByteSize(4096),
                Optional.of(Set.of("alice")), Optional.of(new CompressionConfig(
                        Set.of(CompressionConfig.Encoding.BR, CompressionConfig.Encoding.GZIP),
                        new ByteSize(9), Set.of(new MediaTypePattern("text/*")))),
                Optional.of(new CorsConfig(Set.of(new OriginPattern("https://a.b")), Set.of(HeaderName.ANY),
                        Set.of(new HeaderName("X-A")), true, Duration.ofSeconds(1))), List.of(),
                new HandlerConfig.Text("Hi", "text/html", 201)));
        assertThat(routes.values()).extracting(RouteConfig::handler).containsExactly(
                new HandlerConfig.Text("Hi", "text/html", 201),
                new HandlerConfig.Json(Map.of("a", Map.of("b", List.of(1, "x"))), Optional.of("at"), 203),
                new HandlerConfig.Echo(),
                new HandlerConfig.Index(),
                new HandlerConfig.Cpu(HandlerConfig.Cpu.Algorithm.SIEVE, "k", 7, 9, "compute"),
                new HandlerConfig.Delay(HandlerConfig.Delay.Mode.BLOCKING, Optional.of("jdbc"), "wait",
                        Duration.ofSeconds(1), Duration.ofSeconds(2), 3),
                new HandlerConfig.Query("shop",
                        NamedSql.parse("SELECT * FROM item WHERE id = :id AND color = :color"),
                        Optional.empty(), true, Optional.empty(), Optional.empty(), Optional.empty(),
                        Optional.empty(), Optional.empty(), Optional.empty(), 10, false, Map.of(
                                "id", new ParameterConfig(new ParameterType(ScalarType.LONG, false),
                                        Optional.of(ParameterConfig.Source.PATH), Optional.empty(),
                                        Optional.empty(), Optional.empty(), true),
                                "color", new ParameterConfig(new ParameterType(ScalarType.TEXT, false),
                                        Optional.empty(), Optional.empty(), Optional.empty(),
                                        Optional.of("red"), false)), Map.of(), Map.of(), false, false,
                        Optional.empty(), Optional.empty(), Optional.empty()));
    }

    @Test
    void boundCollectionsAreImmutable() {
        GatewayConfig config = file.load(SAMPLE);
        var json = (HandlerConfig.Json) config.routes().get("json").handler();
        var query = (HandlerConfig.Query) config.routes().get("query").handler();

        assertThat(List.of(config.routes(), config.databases(), config.offload().pools(), json.body(),
                query.parameters())).allSatisfy(map ->
                assertThatThrownBy(map::clear).isInstanceOf(UnsupportedOperationException.class));
        assertThatThrownBy(config.routes().get("text").methods()::clear)
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            server                       | 5    | an object { … }
            server                       | null | an object { … }
            log                          | []   | an object { … }
            offload                      | 5    | an object { … }
            offload.pools                | 5    | an object { … }
            offload.pools.io             | 5    | an object { … }
            offload.pools.io             | null | an object { … }
            databases                    | []   | an object { … }
            databases.shop               | 5    | an object { … }
            routes                       | 5    | an object { … }
            routes                       | null | an object { … }
            routes.x                     | 5    | an object { … }
            routes.x                     | null | an object { … }
            routes.x                     | [5]  | an object { … }
            routes.query.parameters      | 5    | an object { … }
            routes.query.parameters      | null | an object { … }
            routes.query.parameters.id   | 5    | an object { … }
            routes.query.parameters.id   | null | an object { … }
            routes.query.parameters.no   | 5    | an object { … }
            routes.query.sql             | null | an SQL statement, or sql-file
            routes.query.sql             | {}   | an SQL statement, or sql-file
            routes.query.sql             | "'"  | a closing '
            routes.text.path             | x    | a path that begins with /, such as /orders/{id}
            routes.text.path             | {}   | a path, such as /orders/{id}
            routes.text.methods          | null | a list [ … ] of at least one
            routes.text.methods          | []   | a list [ … ] of at least one
            routes.text.methods          | ","  | a list [ … ] of at least one
            routes.text.methods          | {}   | a list [ … ] of at least one
            routes.text.methods          | 5    | a list [ … ] of at least one
            routes.json.body             | 5    | an object { … }
            routes.json.body             | null | an object { … }
            """)
    void valuesOfAnotherTypeAreRefused(String key, String value, String expected) {
        assertThat(file.problemsOfSampleWith(key + " = " + value))
                .containsExactly("main.conf:2: sluice.%s: %s (expected: %s)"
                        .formatted(key, value.replace("\"", ""), expected));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            [GET, null]   | null    | a method in upper case, such as GET
            [PUT, [GET]]  | ["GET"] | a method in upper case, such as GET
            "GET,,POST"   | ""      | a method in upper case, such as GET
            [get]         | get     | a method in upper case, such as GET
            [TRACE]       | TRACE   | a method other than TRACE and CONNECT, which no route serves
            [GTE, PUT]    | GTE     | one of DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT; did you mean GET?
            ["*"]         | *       | one of DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT
            """)
    void methodsAreRefusedOneByOne(String written, String value, String expected) {
        assertThat(file.problems("sluice.routes.x { path = /x, handler = index, methods = " + written + " }"))
                .containsExactly("main.conf:1: sluice.routes.x.methods: " + value
                        + " (expected: " + expected + ")");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            handler = cup    | cup     | ; did you mean cpu?
            handler = quarry | quarry  | ; did you mean query?
            handler = 5      | 5       | ``
            handler = ""     | ""      | ``
            handler = null   | null    | ``
            handler = []     | []      | ``
            ``               | missing | ``
            """)
    void routesNeedAKnownHandlerAndTheirOtherKeysAreNotJudgedWithoutOne(String written, String value,
                                                                       String hint) {
        assertThat(file.problems("sluice.routes.x { path = /x, whatever = 1, " + written + " }"))
                .containsExactly("main.conf:1: sluice.routes.x.handler: " + value
                        + " (expected: one of cpu, delay, echo, events, files, index, json, openapi,"
                        + " presence, proxy, publish, query, text, ws-code, ws-echo, ws-rpc, ws-topic"
                        + hint + ")");
    }

    @Test
    void keysWithoutADefaultAreRequired() {
        assertThat(file.problems("sluice {\n databases.shop {}\n routes.x { handler = query }\n}"))
                .containsExactly(
                        "main.conf:2: sluice.databases.shop.pool: missing (expected: a pool that is "
                                + "defined; none is)",
                        "main.conf:2: sluice.databases.shop.url: missing (expected: a text)",
                        "main.conf:3: sluice.routes.x.database: missing (expected: one of shop)",
                        "main.conf:3: sluice.routes.x.path: missing (expected: a path, such as /orders/{id})",
                        "main.conf:3: sluice.routes.x.sql: missing (expected: an SQL statement, or "
                                + "sql-file)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            admin.prot      | allowed-hosts, host, port; did you mean port?
            admin.x         | allowed-hosts, host, port
            admin.""        | allowed-hosts, host, port
            admin."a.port"  | allowed-hosts, host, port; did you mean port?
            admin.日本       | allowed-hosts, host, port
            "admin.port"    | admin, buses, databases, http2, lifecycle, log, offload, routes, server, tls, \
            tokens, topics, upstreams
            routes.json.stat | body, compression, cors, deadline, first-byte, handler, idle, \
            max-body, methods, path, status, timestamp, tokens; did you mean status?
            """)
    void unknownKeysSuggestTheNearest(String key, String expected) {
        assertThat(file.problemsOfSampleWith(key + " = 7"))
                .containsExactly("main.conf:2: sluice.%s = 7: unknown key (expected: one of %s)"
                        .formatted(key, expected));
    }

    @ParameterizedTest
    @ValueSource(strings = {"passwrod", "pasword", "psasword", "api-token", "clientSecret"})
    void aValueThatMayBeASecretIsNotShown(String key) {
        assertThat(file.problemsOfSampleWith("databases.shop." + key + " = hunter2"))
                .singleElement().asString().contains(key + ": unknown key").doesNotContain("hunter2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"password", "url"})
    void aSecretOfAnotherTypeIsNotShown(String key) {
        assertThat(file.problemsOfSampleWith("databases.shop." + key + " = [hunter2]")).containsExactly(
                "main.conf:2: sluice.databases.shop." + key + ": not shown (expected: a text)");
    }

    @Test
    void namesMayHaveDotsAndAreQuotedInProblems() {
        String pool = "sluice.offload.pools.\"a.ü\" { workers = %s }";

        assertThat(file.load(pool.formatted("1")).offload().pools()).containsOnlyKeys("a.ü");
        assertThat(file.problems(pool.formatted("0")))
                .containsExactly("main.conf:1: sluice.offload.pools.\"a.ü\".workers: 0 (expected: 1..10000)");
    }

    @Test
    void nullTakesAnOptionalValueAway() {
        GatewayConfig config = file.load(SAMPLE
                + "sluice.routes.json.timestamp = null, sluice.databases.shop.init-script = null");

        assertThat(((HandlerConfig.Json) config.routes().get("json").handler()).timestamp()).isEmpty();
        assertThat(config.databases().get("shop").initScript()).isEmpty();
    }

    /**
     * Sets each key to a third of the values. Neighbouring keys get other thirds, so that the keys of each
     * type get all values together.
     */
    @Test
    void anyInvalidValueIsReportedWithItsLine() {
        List<String> values = List.of("null", "5", "-1s", "\"\"", "text", "{}", "{ a { b = 1 } }", "[null]",
                "[[1]]", "99999999999999999999", "\"ü\\u0000\"", "${?nope}");
        ConfigObject every = ConfigFactory.parseString(SELECTION)
                .withFallback(ConfigFactory.parseResources("sample.conf"))
                .withFallback(ConfigFactory.parseResources("reference.conf")).root();
        List<String> paths = paths(every).sorted().toList();
        IntStream.range(0, paths.size()).parallel().forEach(i -> {
            for (int third = i % 3; third < values.size(); third += 3) {
                assertEndsInNothingElse(paths.get(i), values.get(third));
            }
        });
    }

    private void assertEndsInNothingElse(String path, String value) {
        try {
            own(path).load(SAMPLE + SELECTION + path + " = null\n" + path + " = " + value);
        } catch (ConfigException e) {
            assertThat(e.problems()).as("%s = %s", path, value).isNotEmpty().allSatisfy(problem -> {
                assertThat(problem.source()).endsWith(".conf");
                assertThat(problem.line()).isPositive();
                assertThat(problem.message()).matches("sluice.*: .+ \\(expected: .+\\)").hasLineCount(1);
            });
        }
    }

    private HoconFile own(String path) {
        try {
            return new HoconFile(Files.createDirectories(directory.resolve(path.replaceAll("\\W", "_"))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<String> paths(ConfigObject object) {
        return object.entrySet().stream().flatMap(entry -> {
            String key = ConfigUtil.joinPath(entry.getKey());
            return Stream.concat(Stream.of(key), entry.getValue() instanceof ConfigObject child
                    ? paths(child).map(path -> key + '.' + path) : Stream.empty());
        });
    }
}
