package io.sluice.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class LoadTestTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    static Stream<String> commands() {
        return LoadTest.line(System.out).getSubcommands().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void describesEveryCommandAndItsOptions(String command) {
        assertThat(run(command, "--help")).isZero();

        assertThat(out).asString().startsWith("Usage: sluice loadtest " + command);
        assertThat(err).asString().isEmpty();
        var spec = LoadTest.line(System.out).getSubcommands().get(command).getCommandSpec();
        assertThat(spec.usageMessage().description()).isNotEmpty();
        assertThat(spec.args()).allSatisfy(option -> assertThat(option.description()).isNotEmpty());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
            "hallo         | Unmatched argument at index 0: 'hallo'                      | sluice loadtest",
            "hello --fast  | Unknown option: '--fast'                              | sluice loadtest hello",
            "hello short   | Unmatched argument at index 1: 'short'                | sluice loadtest hello",
            "hello --url   | Missing required parameter for option '--url' (URL)   | sluice loadtest hello",
            "hello --url --help | Expected parameter for option '--url' but found '--help' "
                    + "| sluice loadtest hello",
            "soak --token a --token b | option '--token' (TOKEN) should be specified only once "
                    + "| sluice loadtest soak",
            "hello --url x | Invalid value for option '--url': x (expected: http://host:port or "
                    + "https://host:port) | sluice loadtest hello",
            "hello --duration 1d | Invalid value for option '--duration': 1d (expected: a whole number above "
                    + "0 and ms, s, m or h) | sluice loadtest hello",
            "hello --profile fast | Invalid value for option '--profile': fast (expected: short or report) "
                    + "| sluice loadtest hello",
            "code --token a,b | Invalid value for option '--token': malformed (expected: letters, digits and "
                    + "-._~+/=) | sluice loadtest code",
            "hello --results pom.xml | Invalid value for option '--results': pom.xml (expected: a folder) "
                    + "| sluice loadtest hello",
            "hello --results= | Invalid value for option '--results':  (expected: a folder) "
                    + "| sluice loadtest hello",
            "compare row | NAME: row (expected: hello, cpu, latency, keep-alive, query, rows or proxy) "
                    + "| sluice loadtest compare",
            "experiments r4 --duration 1h | --duration: no soak (expected: soak among the experiments) "
                    + "| sluice loadtest experiments",
    })
    void invalidArgumentsAreReportedWithTheHelpCommand(String words, String message, String command) {
        assertThat(run(words.split(" "))).isEqualTo(2);

        assertThat(out).asString().isEmpty();
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .startsWith(message).endsWith("See " + command + " --help");
    }

    @Test
    void wantsACommand() {
        assertThat(run()).isEqualTo(2);

        assertThat(err).asString().isEqualTo("""
                Missing required subcommand
                See sluice loadtest --help
                """);
    }

    @Test
    void tellsAMistakeThatOnlyTheRunFinds() {
        assertThat(run("query", "--duration", "1s")).isEqualTo(2);

        assertThat(out).asString().isEmpty();
        assertThat(err).asString().isEqualTo(
                "--duration: 1 s (expected: more than the 1 s for which each user waits before a request)"
                        + System.lineSeparator());
    }

    @ParameterizedTest
    @CsvSource({
            "hel, hello",
            "hello --prof, --profile",
            "hello --profile sh, short",
            "compare keep, keep-alive",
            "experiments r4 so, soak",
    })
    void completesWordsInBash(String typed, String completion) throws Exception {
        run("completion");

        var bash = new ProcessBuilder("bash").start();
        try (var script = bash.outputWriter()) {
            script.write(out + """
                    COMP_LINE='sluice loadtest %s' COMP_WORDS=(sluice loadtest %1$s)
                    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                    _complete_sluice_loadtest
                    echo "${COMPREPLY[@]}"
                    """.formatted(typed));
        }
        assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(completion + '\n');
    }

    private int run(String... args) {
        return LoadTest.run(args, new PrintStream(out, true), new PrintStream(err, true));
    }
}
