package io.sluice.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.loadtest.experiments.Experiment;
import io.sluice.loadtest.experiments.Suite;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SuiteCommandTest {

    @ParameterizedTest
    @EnumSource
    void runsAllUnlessSomeAreNamed(Suite suite) {
        assertThat(parse(suite.toString()).experiments()).isEqualTo(suite.all());
    }

    @Test
    void runsEachOnceInTheOrderOfTheCommandLine() {
        var command = parse("experiments", "row", "--profile", "short", "r4", "row");
        assertThat(command.experiments()).containsExactly(Experiment.ROW, Experiment.R4);
        assertThat(command.command()).isEqualTo("./sluice loadtest experiments row r4 --profile short");
        assertThat(parse("compare", "query", "hello", "query").command())
                .isEqualTo("./sluice loadtest compare query hello --profile report");
    }

    @Test
    void takesTheLengthOfASoak() {
        assertThat(parse("experiments", "soak", "--duration", "60m").command())
                .isEqualTo("./sluice loadtest experiments soak --profile report --duration 1h");
    }

    private static SuiteCommand parse(String... args) {
        return (SuiteCommand) LoadTest.line(System.out).parseArgs(args)
                .subcommand().commandSpec().userObject();
    }
}
