package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {

    @ParameterizedTest
    @ValueSource(strings = {"--help", "-h", "help", "serve --help", "check --help", "check -h",
        "version --help",
        "dev-cert --host a --help", "train --help", "check --config x.conf --help"})
    void helpIsForEveryCommand(String words) throws Exception {
        assertThat(CommandLine.parse(words.split(" ")).command()).isEqualTo(CommandLine.Command.HELP);
    }
}
