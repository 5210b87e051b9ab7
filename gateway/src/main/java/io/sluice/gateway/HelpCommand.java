package io.sluice.gateway;

import picocli.CommandLine;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Prints the help of a command: {@code sluice help check} equals {@code sluice check --help}. */
final class HelpCommand extends Command {
    private final PositionalParamSpec name = PositionalParamSpec.builder().paramLabel("COMMAND").arity("0..1")
            .description("The command (default: an overview of all).").build();

    HelpCommand() {
        super("help", "Print the help of a command.");
        spec().addPositional(name);
    }

    @Override
    public Integer call() {
        CommandLine root = spec().root().commandLine();
        String wanted = name.getValue();
        CommandLine command = wanted == null ? root : root.getSubcommands().get(wanted);
        if (command == null) {
            throw mistake("%s: unknown (expected: one of %s)", wanted,
                    String.join(", ", root.getSubcommands().keySet()));
        }
        print(command.getUsageMessage());
        return DONE;
    }
}
