package io.sluice.gateway;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * A command of {@code sluice}; {@code call} returns its exit code. The options are declared with picocli's
 * builders because its annotations would delay every start: docs/decisions/0021.
 */
abstract class Command implements Callable<Integer> {
    static final int DONE = 0;
    static final int CANNOT_START = 1;
    static final int MISTAKE = 2;

    private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);

    Command(String name, String... description) {
        spec.name(name).usageMessage().description(description).descriptionHeading("%n")
                .optionListHeading("%nOptions:%n").sortOptions(false).width(100);
        option(OptionSpec.builder("-h", "--help").usageHelp(true).description("Print this help."));
    }

    final CommandSpec spec() {
        return spec;
    }

    final OptionSpec option(OptionSpec.Builder option) {
        OptionSpec added = option.build();
        spec.addOption(added);
        return added;
    }

    final void print(Object text) {
        PrintWriter out = spec.commandLine().getOut();
        out.print(text);
        out.flush();
    }

    /** Returns the exception for a wrong value; the message states the value and the expectation. */
    final ParameterException mistake(String message, Object... values) {
        return new ParameterException(spec.commandLine(), message.formatted(values));
    }
}
