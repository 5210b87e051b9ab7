package io.sluice.loadtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.sluice.loadtest.experiments.Experiment;
import io.sluice.loadtest.experiments.Suite;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {

    @Test
    void hasDefaults() {
        assertThat(CommandLine.parse("hello")).asInstanceOf(type(CommandLine.Run.class)).satisfies(run -> {
            assertThat(run.settings().workload()).isEqualTo(Workload.HELLO);
            assertThat(run.settings().url()).isEqualTo(URI.create("http://localhost:8080"));
            assertThat(run.settings().admin()).isEqualTo(URI.create("http://localhost:8081"));
            assertThat(run.settings().length()).isEqualTo(Duration.ofSeconds(90));
            assertThat(run.settings().thresholds())
                    .isEqualTo(ThresholdsFile.builtIn().of(Workload.HELLO).orElseThrow());
            assertThat(run.settings().token()).isEmpty();
            assertThat(run.results()).isAbsolute().endsWithRaw(Path.of("loadtest", "target", "gatling"));
        });
    }

    @Test
    void readsEveryOption(@TempDir Path results) {
        var read = CommandLine.parse("hello", "--profile", "short", "--url", "https://gateway.test/",
                "--results", results.toString(), "--token", "a.b-c_d~e+f/g==", "--admin", "http://ops.test:81");
        assertThat(read).isEqualTo(new CommandLine.Run(new RunSettings(Workload.HELLO,
                URI.create("https://gateway.test"), URI.create("http://ops.test:81"), Duration.ofSeconds(30),
                ThresholdsFile.builtIn().of(Workload.HELLO).orElseThrow(), Optional.of("a.b-c_d~e+f/g==")),
                results));
    }

    @Test
    void looksForMetricsAtTheServerAndTakesADurationInTheProfilesPlace() {
        assertThat(CommandLine.parse("soak", "--duration", "8h", "--profile", "short",
                "--url", "https://10.0.0.1:8443")).asInstanceOf(type(CommandLine.Run.class)).satisfies(run -> {
                    assertThat(run.settings().admin()).isEqualTo(URI.create("http://10.0.0.1:8081"));
                    assertThat(run.settings().length()).isEqualTo(Duration.ofHours(8));
                });
    }

    @ParameterizedTest
    @EnumSource
    void runsAllExperimentsUnlessSomeAreNamed(Suite suite) {
        assertThat(CommandLine.parse(suite.toString())).isEqualTo(new CommandLine.Experiments(
                suite, suite.all(), Profile.REPORT, Optional.empty(),
                ResultsFolder.ofThisModule(suite.toString())));
    }

    @Test
    void readsEveryOptionOfExperiments(@TempDir Path results) {
        var read = CommandLine.parse("experiments", "row", "--results", results.toString(), "r4", "row",
                "--profile", "short");
        assertThat(read).isEqualTo(new CommandLine.Experiments(
                Suite.EXPERIMENTS, List.of(Experiment.ROW, Experiment.R4), Profile.SHORT, Optional.empty(),
                results));
        assertThat(((CommandLine.Experiments) read).command())
                .isEqualTo("./sluice loadtest experiments row r4 --profile short");
    }

    @Test
    void readsHowLongASoakIs() {
        var read = CommandLine.parse("experiments", "soak", "--duration", "60m");
        assertThat(read).isEqualTo(new CommandLine.Experiments(Suite.EXPERIMENTS, List.of(Experiment.SOAK),
                Profile.REPORT, Optional.of(Duration.ofHours(1)), ResultsFolder.ofThisModule("experiments")));
        assertThat(((CommandLine.Experiments) read).command())
                .isEqualTo("./sluice loadtest experiments soak --profile report --duration 1h");
    }

    @Test
    void readsEveryOptionOfAComparison(@TempDir Path results) {
        var read = CommandLine.parse("compare", "--profile", "short", "query", "hello", "--results",
                results.toString(), "query");
        assertThat(read).isEqualTo(new CommandLine.Experiments(
                Suite.COMPARE, List.of(Experiment.QUERY, Experiment.HELLO), Profile.SHORT, Optional.empty(),
                results));
        assertThat(((CommandLine.Experiments) read).command())
                .isEqualTo("./sluice loadtest compare query hello --profile short");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "compare --help", "experiments r4 --help", "hello --help",
            "hello --url --help", "nonsense --help"})
    void helps(String line) {
        assertThat(CommandLine.parse(line.split(" "))).isInstanceOf(CommandLine.Help.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "hallo | simulation: hallo (expected: %s)",
            "HELLO | simulation: HELLO (expected: %s)",
            "hello --fast | option: --fast (expected: %s)",
            "hello short | option: short (expected: %s)",
            "hello --duration 1d     | --duration: 1d (expected: a whole number above 0 and ms, s, m or h)",
            "hello --admin x              | --admin: x (expected: http://host:port or https://host:port)",
            "hello --thresholds      | --thresholds: no value (expected: a properties file that can be read)",
            "hello --profile fast         | --profile: fast (expected: short or report)",
            "hello --profile              | --profile: no value (expected: short or report)",
            "code --token                 | --token: no value (expected: letters, digits and -._~+/=)",
            "code --token a,b             | --token: malformed (expected: letters, digits and -._~+/=)",
            "hello --results              | --results: no value (expected: a folder)",
            "hello --url                  | --url: no value (expected: http://host:port or https://host:port)",
            "experiments --url x | option: --url (expected: --profile, --duration, --results or --help)",
            "experiments --profile x      | --profile: x (expected: short or report)",
            "experiments r4 --duration 1h | --duration: no soak (expected: soak among the experiments)",
            "experiments r4 --results     | --results: no value (expected: a folder)",
            "compare --url x | option: --url (expected: --profile, --duration, --results or --help)",
            "compare row | workload: row (expected: hello, cpu, latency, keep-alive or query)",
    })
    void namesTheValueAndWhatWasExpected(String line, String message) {
        assertThatThrownBy(() -> CommandLine.parse(line.split(" ")))
                .isInstanceOf(UsageException.class)
                .hasMessage(message.replace("%s", message.startsWith("option") ? CommandLine.OPTIONS
                        : CommandLine.EXPECTED));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "localhost", "localhost:8080", "ftp://localhost", "http://", "http://a b",
            "http:/localhost", "http://localhost:0", "http://localhost:65536", "http://localhost:x",
            "http://localhost/hello", "http://localhost?a=b", "http://localhost#a", "http://me@localhost",
            "mailto:me@localhost"})
    void takesNothingForAUrlBut(String url) {
        assertThatThrownBy(() -> CommandLine.parse("hello", "--url", url))
                .isInstanceOf(UsageException.class)
                .hasMessage("--url: " + url + " (expected: http://host:port or https://host:port)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://localhost:8080", "http://localhost:8080/", "HTTP://127.0.0.1",
            "https://[::1]:8443", "http://10.0.0.1:65535"})
    void takesAServer(String url) {
        assertThat(CommandLine.parse("hello", "--url", url)).asInstanceOf(type(CommandLine.Run.class))
                .satisfies(run -> assertThat(run.settings().at("/x"))
                        .isEqualTo(url.endsWith("/") ? url + "x" : url + "/x"));
    }

    @Test
    void namesAllExperimentsWhereOneIsUnknown() {
        assertThatThrownBy(() -> CommandLine.parse("experiments", "r5"))
                .isInstanceOf(UsageException.class)
                .hasMessage("experiment: r5 (expected: %s)", Suite.EXPERIMENTS.names());
    }

    @Test
    void knowsTheWebSocketUrlOfAServer() {
        assertThat(CommandLine.parse("code", "--url", "HTTPS://10.0.0.1:8443"))
                .asInstanceOf(type(CommandLine.Run.class))
                .satisfies(run -> assertThat(run.settings().webSocketAt("/ws/code"))
                        .isEqualTo("wss://10.0.0.1:8443/ws/code"));
    }

    @Test
    void saysThatAFileIsNoFolder(@TempDir Path folder) throws Exception {
        var file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> CommandLine.parse("hello", "--results", file.toString()))
                .hasMessage("--results: " + file + " (expected: a folder)");
        assertThatThrownBy(() -> CommandLine.parse("hello", "--results", "\0"))
                .isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> CommandLine.parse("hello", "--results", ""))
                .isInstanceOf(UsageException.class);
    }
}
