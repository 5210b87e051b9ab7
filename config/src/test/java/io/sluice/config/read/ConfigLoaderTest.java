package io.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.typesafe.config.ConfigFactory;
import io.sluice.config.GatewayConfig;
import io.sluice.config.HoconFile;
import io.sluice.config.ServerConfig;
import io.sluice.config.problem.ConfigException;
import io.sluice.config.problem.ConfigProblem;
import io.sluice.config.type.Method;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigLoaderTest {
    @TempDir
    private Path directory;
    private HoconFile file;

    @BeforeEach
    void useTheDirectory() {
        file = new HoconFile(directory);
    }

    @Test
    void commandLineWinsOverFileOverReference() {
        ServerConfig server = file.load("sluice.server { port = 1, backlog = 2 }",
                "sluice.server.port=3").server();

        assertThat(server.port()).isEqualTo(3);
        assertThat(server.backlog()).isEqualTo(2);
        assertThat(server.bossThreads()).isEqualTo(1);
    }

    @Test
    void environmentStandsBetweenCommandLineAndFile() throws Exception {
        assertThat(loadedWith(Map.of("CONFIG_FORCE_sluice_server_port", "2",
                "CONFIG_FORCE_sluice_server_worker__threads", "2"))).isEqualTo("3 2 1 environment");
    }

    @Test
    void theEnvironmentHasNoSectionOutsideSluice() throws Exception {
        assertThat(loadedWith(Map.of("CONFIG_FORCE_server_port", "2", "CONFIG_FORCE_SLUICE_server_port", "2",
                "CONFIG_FORCE_mine", "2"))).isEqualTo("""
                environment: "SLUICE": unknown key (expected: sluice)
                environment: "server": unknown key (expected: sluice.server)""");
    }

    /** Returns what a process with these environment variables prints. */
    private String loadedWith(Map<String, String> environment) throws Exception {
        Path written = file.write("main.conf", "sluice.server { port = 1, worker-threads = 1, backlog = 1 }");
        String classPath = Stream.of(ConfigLoader.class, ConfigFactory.class, Child.class)
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .collect(Collectors.joining(File.pathSeparator));
        var java = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp", classPath, Child.class.getName(), written.toString());
        java.environment().putAll(environment);
        Process child = java.redirectErrorStream(true).start();
        String printed = new String(child.getInputStream().readAllBytes());
        assertThat(child.waitFor()).as(printed).isZero();
        return printed;
    }

    /** The main class of a process that loads a configuration with environment variables of its own. */
    static final class Child {
        private Child() {
        }

        static void main(String[] args) {
            LoadedConfig loaded;
            try {
                loaded = new ConfigLoader(Map.of("sluice.server.port", "3")).load(Path.of(args[0]));
            } catch (ConfigException e) {
                System.out.print(e.getMessage());
                return;
            }
            ServerConfig server = loaded.config().server();
            System.out.print(server.port() + " " + server.workerThreads() + " " + server.backlog() + " "
                    + loaded.effective().entries().stream()
                    .filter(entry -> entry.path().equals("sluice.server.worker-threads"))
                    .map(EffectiveConfig.Entry::origin).findAny().orElseThrow());
        }
    }

    @Test
    void commandLineTakesListsAsTextWithCommas() {
        GatewayConfig config = file.load("sluice.routes.x { path = /x, handler = index }",
                "sluice.routes.x.methods=GET, POST,GET");

        assertThat(config.routes().get("x").methods()).containsExactly(Method.GET, Method.POST);
    }

    @Test
    void foreignPropertiesAndRootsAreIgnored() {
        String own = "port = 5, slurp = x, sluice.server.port = ${port}";

        assertThat(file.load(own, "sluicex.port=y", "java..=z").server().port()).isEqualTo(5);
    }

    @Test
    void filesIncludeTheirNeighboursAndTheClassPath() {
        file.write("pools.conf", "sluice.offload.pools.near { workers = 3 }");
        GatewayConfig config = file.load("""
                include "pools.conf"
                include classpath("sample.conf")
                sluice.offload.pools.compute.workers = 4
                """);

        assertThat(config.offload().pools().get("near").workers()).isEqualTo(3);
        assertThat(config.offload().pools().get("compute").workers()).isEqualTo(4);
        assertThat(config.routes()).containsKey("query");
    }

    @Test
    void loadsResourcesByName() {
        assertThat(new ConfigLoader(Map.of()).loadResource("sample.conf").config().routes()).hasSize(7);
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> new ConfigLoader(Map.of()).loadResource("nosuch.conf"))
                .withMessage("nosuch.conf: resource not found on classpath: nosuch.conf");
    }

    @Test
    void refusesFilesThatAreNotThere() {
        for (Path path : List.of(directory, directory.resolve("nosuch.conf"))) {
            assertThatExceptionOfType(ConfigException.class)
                    .isThrownBy(() -> new ConfigLoader(Map.of()).load(path))
                    .withMessage(path + ": no such file, or not readable (expected: a HOCON file)");
        }
    }

    @Test
    void tellsEveryMistakeWithItsFileLineValueAndExpectation() {
        assertThat(file.problems("""
                sluice {
                  server.port = 70000
                  offload.pools.io.deadline = 5
                  lifecycle {
                    drain-timeout = soon
                  }
                }
                """)).containsExactly(
                "main.conf:2: sluice.server.port: 70000 (expected: 0..65535)",
                "main.conf:3: sluice.offload.pools.io.deadline: 5 (expected: a duration with its unit, "
                        + "such as 250ms, 5s or 2m; 1ms..24h)",
                "main.conf:5: sluice.lifecycle.drain-timeout: soon (expected: a duration with its unit, "
                        + "such as 250ms, 5s or 2m; 0s..1h)");
    }

    @Test
    void theMessageHasALineForEachProblem() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> file.load("sluice { server.port = x\n admin.port = y }"))
                .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(2)
                        .isEqualTo(e.problems().stream().map(ConfigProblem::toString).toList()));
    }

    @Test
    void mistakesAreToldWhereTheyStand() {
        file.write("ports.conf", "\n\nsluice.server.port = x");

        assertThat(file.problems("include \"ports.conf\"\nsluice.server.host = []", "sluice.admin.port=-1"))
                .containsExactlyInAnyOrder(
                        "command line: sluice.admin.port: -1 (expected: 0..65535)",
                        "main.conf:2: sluice.server.host: [] (expected: a text)",
                        "ports.conf:3: sluice.server.port: x (expected: 0..65535)");
    }

    /** The mistake is reported in main.conf, even where the invalid value comes from reference.conf. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            server.port = ${sluice.server.host}         | main.conf:2: sluice.server.port: 0.0.0.0 (expected:
            server.port = ${sluice.server.port} x       | main.conf:2: sluice.server.port: 8080 x (expected:
            server.port = ${sluice.admin}               | main.conf:2: sluice.server.port: {"host":
            server = ${sluice.admin.port}               | main.conf:2: sluice.server: 8081 (expected: an
            server.timeouts = ${sluice.admin.port}      | main.conf:2: sluice.server.timeouts: 8081
            http2 = ${sluice.compression-defaults.types} | main.conf:2: sluice.http2: ["text/*",
            routes.a = ${sluice.compression-defaults.types} | main.conf:2: sluice.routes.a: ["text/*",
            server = ${sluice.server} 5                 | main.conf: Cannot concatenate object or list
            """)
    void mistakesAreNeverThoseOfTheDefaults(String line, String problem) {
        assertThat(file.problems("sluice {\n" + line + "\n}")).singleElement().asString().startsWith(problem);
    }

    /** The object that has the reference is merged of others, and not yet resolved. */
    @ParameterizedTest
    @ValueSource(strings = {"sluice.server.backlog=1", "sluice.routes.a.text=hello"})
    void mistakesInReferencesFromMergedObjectsAreTold(String override) {
        assertThat(file.problems("""
                base { path = /x }
                sluice.routes.a = ${base} { handler = text, text = hi, deadline = ${sluice.server.port} }
                sluice.routes.b.deadline = x
                """, override)).satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).matches("main.conf:[12]: sluice.routes.a.deadline: 8080 .*"),
                        line -> assertThat(line).startsWith("main.conf:3: sluice.routes.b.deadline: x"),
                        line -> assertThat(line).startsWith("main.conf:3: sluice.routes.b.path: missing"),
                        line -> assertThat(line).startsWith("main.conf:3: sluice.routes.b.handler: missing"));
    }

    @Test
    void missingKeyIsReportedInTheTopmostFile() {
        file.write("route.conf", "sluice.routes.x {\n handler = index }");

        assertThat(file.problems("include \"route.conf\"\n\nsluice.routes.x.deadline = 1s",
                "sluice.routes.x.max-body=1")).containsExactly(
                "main.conf:3: sluice.routes.x.path: missing (expected: a path, such as /orders/{id})");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            `\nsluice { server }`         | main.conf:2: Key 'server' may not be followed by token: '}'
            `\n\nsluice {`                | main.conf:3: expecting a close parentheses ')' here, not: end
            `a = "open`                   | main.conf:1: Expecting a value but got wrong token: ''
            `[1, 2]`                      | main.conf:1: has type LIST rather than object at file root
            `\nsluice.log = ${nope}`      | main.conf:2: Could not resolve substitution to a value: ${nope}
            `a = ${b}, b = ${a}`          | main.conf:1: Could not resolve substitution to a value: ${a}
            `include "main.conf"`         | main.conf: include statements nested more than 50 times
            `sluice.server.port = 5 {}`   | main.conf:1: Cannot concatenate object or list
            """)
    void filesThatCannotBeReadAreRefusedInOneShortLine(String hocon, String problem) {
        assertThat(file.problems(hocon)).singleElement().asString().startsWith(problem)
                .hasSizeLessThan(230).doesNotContain("Exception");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            sluice.server..port=1 | Invalid path 'sluice.server..port'
            sluice.=1             | Invalid path 'sluice.'
            sluice."a=1           | Invalid path 'sluice."a'
            """)
    void keysOnTheCommandLineMustBeKeys(String override, String problem) {
        assertThat(file.problems("", override)).singleElement().asString().contains(problem);
    }

    @Test
    void oneKeyOnTheCommandLineCannotBeInsideAnother() {
        assertThat(file.problems("", "sluice.server=1", "sluice.server.port=2")).singleElement().asString()
                .startsWith("command line or environment: In the map, path 'sluice.server' occurs as both");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            sluce.server.port = 1    | main.conf:1: "sluce": unknown key (expected: sluice)
            Sluice.server.port = 1   | main.conf:1: "Sluice": unknown key (expected: sluice)
            "sluice.server".port = 1 | main.conf:1: "sluice.server": unknown key (expected: sluice)
            routes.x.path = /x       | main.conf:1: "routes": unknown key (expected: sluice.routes)
            `\nlog { level = info }` | main.conf:2: "log": unknown key (expected: sluice.log)
            bus-defaults {} | main.conf:1: "bus-defaults": unknown key (expected: sluice.bus-defaults)
            cors-defaults {} | main.conf:1: "cors-defaults": unknown key (expected: sluice.cors-defaults)
            sluice = 5               | main.conf:1: sluice: 5 (expected: an object { … })
            sluice = null            | main.conf:1: sluice: null (expected: an object { … })
            sluice = []              | main.conf:1: sluice: [] (expected: an object { … })
            """)
    void theRootIsAnObjectNamedSluice(String hocon, String problem) {
        assertThat(file.problems(hocon)).containsExactly(problem);
    }
}
