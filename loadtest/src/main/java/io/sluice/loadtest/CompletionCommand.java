package io.sluice.loadtest;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the completion script of {@code loadtest}, a part of that of {@code sluice}. */
@Command(name = "completion", hidden = true, description = "Used by ./sluice completion.")
final class CompletionCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        var sluice = new CommandLine(CommandSpec.create())
                .addSubcommand("loadtest", spec.root().commandLine());
        var out = spec.commandLine().getOut();
        out.print(AutoComplete.bash("sluice_loadtest", sluice));
        out.flush();
    }
}
