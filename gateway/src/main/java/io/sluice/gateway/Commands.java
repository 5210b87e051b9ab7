package io.sluice.gateway;

import io.sluice.config.problem.ConfigException;
import io.sluice.gateway.plugin.PluginException;
import io.sluice.gateway.tls.TlsException;
import java.io.PrintWriter;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.UnmatchedArgumentException;

/** Defines the command line {@code sluice}: its commands, and the messages for mistakes and failures. */
final class Commands {

    private Commands() {
    }

    /** Returns the command line; without a command it runs {@code serve}. */
    static CommandLine line() {
        CommandSpec sluice = new ServeCommand("sluice",
                "An HTTP and WebSocket gateway whose event loops never block.", "",
                "Without a command: serve.").spec();
        sluice.addOption(OptionSpec.builder("-V", "--version").versionHelp(true)
                .description("Print the version.").build());
        sluice.version("sluice " + Main.version());
        sluice.usageMessage().commandListHeading("%nCommands:%n").footerHeading("%n").footer(
                "Load tests: ./sluice loadtest --help", "",
                "Exit codes: 0 done, or stopped by SIGTERM or Ctrl-C; 1 the gateway cannot start;",
                "2 a mistake in the command line or the configuration; 3 out of memory.");
        Stream.of(new ServeCommand("serve", "Serve a configuration until SIGTERM or Ctrl-C; requests in"
                        + " flight are answered first."),
                        new CheckCommand(), new DevCertCommand(), new TrainCommand(), new CompletionCommand(),
                        new HelpCommand())
                .map(Command::spec).forEach(spec -> sluice.addSubcommand(spec.name(), spec));
        return new CommandLine(sluice)
                .setExpandAtFiles(false)
                .setAllowOptionsAsOptionParameters(false)
                .setExecutionStrategy(Commands::run)
                .setParameterExceptionHandler(Commands::mistaken)
                .setExecutionExceptionHandler(Commands::failed);
    }

    /** Runs the command, unless options of {@code serve} stand before it: they would be ignored. */
    private static int run(ParseResult parsed) {
        if (parsed.hasSubcommand() && Stream.of("--config", "-D").anyMatch(parsed::hasMatchedOption)) {
            throw new ParameterException(parsed.commandSpec().commandLine(),
                    "%s: behind --config or -D (expected: before them)"
                            .formatted(parsed.subcommand().commandSpec().name()));
        }
        return new RunLast().execute(parsed);
    }

    /** Prints the mistake, similar options or commands, and the command that prints the help. */
    private static int mistaken(ParameterException mistake, String... args) {
        CommandLine command = mistake.getCommandLine();
        PrintWriter err = command.getErr();
        err.println(mistake.getMessage());
        UnmatchedArgumentException.printSuggestions(mistake, err);
        err.printf("See %s --help%n", command.getCommandSpec().qualifiedName());
        return Command.MISTAKE;
    }

    /**
     * Prints the message of a failure that an operator can correct. Any other exception is a bug: it is
     * rethrown, and picocli prints its stack trace.
     */
    private static int failed(Exception problem, CommandLine command, ParseResult parsed) throws Exception {
        int code = switch (problem) {
            case StartException _ -> Command.CANNOT_START;
            case ConfigException _, PluginException _, TlsException _ -> Command.MISTAKE;
            default -> throw problem;
        };
        command.getErr().println(problem.getMessage());
        return code;
    }
}
