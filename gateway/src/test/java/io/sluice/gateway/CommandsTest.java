package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class CommandsTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "sevre                         | Unmatched argument at index 0: 'sevre'               | sluice",
        "serve --force                 | Unknown option: '--force'                            | sluice serve",
        "check --confg x.conf          | Unknown options: '--confg', 'x.conf'                 | sluice check",
        "check --against localhost:1   | --against localhost:1 (expected: the URL of an admin port, such as "
                + "http://localhost:8081) | sluice check",
        "check all                     | Unmatched argument at index 1: 'all'                 | sluice check",
        "check --config | Missing required parameter for option '--config' (FILE)            | sluice check",
        "check --config --help         | Expected parameter for option '--config' but found '--help' "
                + "| sluice check",
        "--config a.conf --config b.conf | option '--config' (FILE) should be specified only once | sluice",
        "--config a.conf check         | check: behind --config or -D (expected: before them)  | sluice",
        "-Dsluice.server.port=0 train  | train: behind --config or -D (expected: before them)  | sluice",
        "-Dserver.port=1               | -Dserver.port=1 (expected: -Dsluice.KEY=VALUE)       | sluice",
        "check -Dsluice.server.port    | -Dsluice.server.port (expected: -Dsluice.KEY=VALUE)  | sluice check",
        "-Dsluice.demo.code-execution=1 | sluice.demo.code-execution: 1 (expected: true or false) | sluice",
        "help chek | chek: unknown (expected: one of serve, check, dev-cert, train, completion, help) "
                + "| sluice help",
    })
    void invalidArgumentsAreReportedWithTheHelpCommand(String words, String message, String command) {
        assertThat(run(words.split(" "))).isEqualTo(Command.MISTAKE);

        assertThat(err.toString().lines()).startsWith(message).endsWith("See " + command + " --help");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void suggestsTheNearestCommand() {
        run("chek");

        assertThat(err.toString()).contains("Did you mean: sluice check");
    }

    static Stream<String> commands() {
        return Commands.line().getSubcommands().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void describesEveryCommandAndItsOptions(String command) {
        assertThat(run(command, "--help")).isZero();

        assertThat(out.toString()).startsWith("Usage: sluice " + command);
        var spec = Commands.line().getSubcommands().get(command).getCommandSpec();
        assertThat(spec.usageMessage().description()).isNotEmpty();
        assertThat(spec.args()).allSatisfy(option -> assertThat(option.description()).isNotEmpty());
        String asked = out.toString();
        out.getBuffer().setLength(0);
        assertThat(run("help", command)).isZero();
        assertThat(out.toString()).isEqualTo(asked);
    }

    @Test
    void takesOverridesWithAnyValue() {
        assertThat(run("check", "-Dsluice.server.port=9", "-Dsluice.admin.allowed-hosts=[\"a=b\"]"))
                .as("%s", err).isZero();

        assertThat(out.toString()).startsWith("server 0.0.0.0:9,");
    }

    @Test
    void checksAConfigurationAndShowsItsRoutes() {
        assertThat(run("check")).isZero();

        assertThat(out.toString()).contains("/benchmark/jdbc", "pool jdbc, database sample")
                .contains("METHODS", "GET,POST,PUT,PATCH,DELETE");
    }

    @Test
    void tellsItsVersion() {
        assertThat(run("--version")).isZero();

        assertThat(out.toString()).startsWith("sluice ");
    }

    @Test
    void devCertificateIsAcceptedByCheck(@TempDir Path folder) throws Exception {
        assertThat(run("dev-cert", "--dir", folder.toString(), "--host=dev.example.com")).isZero();
        assertThat(out.toString()).contains("localhost, 127.0.0.1, ::1, dev.example.com");
        String config = Files.writeString(folder.resolve("tls.conf"), out.toString().lines()
                .filter(line -> line.contains("sluice.tls")).findFirst().orElseThrow()).toString();

        out.getBuffer().setLength(0);
        assertThat(run("check", "--config", config)).isZero();
        assertThat(out.toString())
                .startsWith("server 0.0.0.0:8080, tls 0.0.0.0:8443, admin 127.0.0.1:8081, 0 routes");

        Files.writeString(folder.resolve("sluice-dev.key"), "");
        String problem = config + ":1: sluice.tls.private-key: " + folder.resolve("sluice-dev.key")
                + ": no private key in it (expected: PEM, -----BEGIN PRIVATE KEY-----)\n";
        assertThat(run("check", "--config", config)).isEqualTo(2);
        assertThat(run("serve", "--config", config)).isEqualTo(2);
        assertThat(err.toString()).isEqualTo(problem.repeat(2));
    }

    @Test
    void checkReportsAllMissingFilesAndDrivers(@TempDir Path folder) throws Exception {
        Path pem = Files.writeString(folder.resolve("some.pem"), "");
        String config = Files.writeString(folder.resolve("lacks.conf"), """
                sluice.offload.pools.main { workers = 1 }
                sluice.databases.one { pool = main, password = ""
                  url = "jdbc:none:one?password=hidden" }
                sluice.databases.two { pool = main, url = "jdbc:postgresql://x/two", password = ""
                  init-script = ["sample.sql", "none.sql"]
                  properties.sslmod = require }
                sluice.routes.site { path = "/**", handler = files, pool = main
                  directory = "%1$s/none" }
                sluice.upstreams.shop { endpoints = ["https://127.0.0.1"]
                  tls.ca = "%1$s/some.pem" }
                sluice.buses.cache { url = "rediss://127.0.0.1"
                  tls.ca = "%1$s/some.pem"
                  password-file = "%1$s" }
                sluice.offload.spill.directory = "%1$s/some.pem"
                """.formatted(folder)).toString();
        for (String command : new String[] {"check", "serve"}) {
            err.getBuffer().setLength(0);
            assertThat(run(command, "--config", config)).isEqualTo(2);
            assertThat(err.toString().lines()).satisfiesExactly(
                    line -> assertThat(line).startsWith(config + ":3: sluice.databases.one.url: ")
                            .doesNotContain("hidden"),
                    line -> assertThat(line).startsWith(config
                            + ":5: sluice.databases.two.init-script: none.sql (expected: a file with SQL"),
                    line -> assertThat(line).startsWith(config + ":6: sluice.databases.two.properties.sslmod:"
                            + " unknown to the driver (expected: ").endsWith("did you mean sslmode?)"),
                    line -> assertThat(line).isEqualTo(config + ":8: sluice.routes.site.directory: " + folder
                            + "/none (expected: a directory that is there and can be read)"),
                    line -> assertThat(line).startsWith(config + ":10: sluice.upstreams.shop.tls.ca: " + pem
                            + ": no certificate in it"),
                    line -> assertThat(line).startsWith(config + ":12: sluice.buses.cache.tls.ca: " + pem
                            + ": no certificate in it"),
                    line -> assertThat(line).isEqualTo(config + ":13: sluice.buses.cache.password-file: "
                            + folder + " (expected: a file that is there and can be read)"),
                    line -> assertThat(line).isEqualTo(config + ":14: sluice.offload.spill.directory: " + pem
                            + " (expected: a directory that is there and can be written to)"));
        }
    }

    @Test
    void tellsWhichScriptFails(@TempDir Path folder) throws Exception {
        Path made = Files.writeString(folder.resolve("made.sql"), "CREATE TABLE made (id INT)");
        Path broken = Files.writeString(folder.resolve("broken.sql"), "CREATE TABEL broken (id INT)");
        Path config = Files.writeString(folder.resolve("scripts.conf"), """
                sluice.offload.pools.main { workers = 1 }
                sluice.databases.main { pool = main, url = "jdbc:h2:mem:scripts", user = sa
                  init-script = ["%s", "%s"] }
                sluice.routes.made { path = /, handler = query, database = main
                  sql = "SELECT no FROM made" }
                """.formatted(made, broken));
        assertThat(run("check", "--database", "--config", config.toString())).isEqualTo(2);
        assertThat(err.toString()).startsWith(config + ":3: sluice.databases.main.init-script: " + broken
                + ": Syntax error").contains("\n" + config + ":5: sluice.routes.made.sql: Column \"NO\"");
    }

    @ParameterizedTest
    @CsvSource({"che, check", "check --con, --config", "dev-cert --fo, --force"})
    void completesWordsInBash(String typed, String completion) throws Exception {
        run("completion");

        Process bash = new ProcessBuilder("bash").start();
        try (var script = bash.outputWriter()) {
            script.write(out + """
                    COMP_LINE='sluice %s' COMP_WORDS=(sluice %1$s)
                    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                    _complete_sluice
                    echo "${COMPREPLY[@]}"
                    """.formatted(typed));
        }
        assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(completion + '\n');
    }

    private int run(String... args) {
        CommandLine line = Commands.line();
        return line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true)).execute(args);
    }
}
