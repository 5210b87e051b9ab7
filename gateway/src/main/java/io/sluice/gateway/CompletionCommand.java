package io.sluice.gateway;

import picocli.AutoComplete;

/** Prints the script by which a shell completes commands and options. */
final class CompletionCommand extends Command {

    CompletionCommand() {
        super("completion", "Print a completion script for bash and zsh: source <(./sluice completion)");
    }

    @Override
    public Integer call() {
        print(AutoComplete.bash(spec().root().name(), spec().root().commandLine()));
        return DONE;
    }
}
