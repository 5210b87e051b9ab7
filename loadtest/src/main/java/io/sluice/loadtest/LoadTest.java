package io.sluice.loadtest;

import io.sluice.loadtest.experiments.Suite;
import io.sluice.loadtest.simulations.UsageException;
import io.sluice.loadtest.simulations.Workload;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command line: {@code loadtest hello --url http://localhost:8080 --profile report}, or
 * {@code loadtest experiments r4 --profile report}, or {@code loadtest compare}.
 */
@Command(name = "sluice loadtest", scope = ScopeType.INHERIT, usageHelpWidth = 100,
        description = "Simulations of Gatling against a server that runs, experiments with gateways that it "
                + "starts itself, and comparisons with other servers.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all thresholds are kept and all goals reached",
            "1:some are not",
            "2:a mistake in the command line or a file",
            "3:the run could not be finished"
        },
        subcommands = CompletionCommand.class)
public final class LoadTest {

    static final int OK = 0;
    static final int NOT_REACHED = 1;
    static final int BAD_USAGE = 2;
    static final int CRASHED = 3;

    @Option(names = {"-h", "--help"}, usageHelp = true, scope = ScopeType.INHERIT,
            description = "Print this help.")
    @SuppressWarnings("unused") // picocli sets it
    private boolean help;

    private LoadTest() {}

    /** Runs the command of the arguments and ends this JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(run(args, System.out, System.err));
    }

    static int run(String[] args, PrintStream out, PrintStream err) {
        try {
            return line(out).setOut(new PrintWriter(out, true, out.charset()))
                    .setErr(new PrintWriter(err, true, err.charset())).execute(args);
        } catch (AssertionError e) {
            e.printStackTrace(err);
            return CRASHED;
        }
    }

    static CommandLine line(PrintStream out) {
        var loadtest = new CommandLine(new LoadTest());
        Stream.of(Workload.values()).map(workload -> SimulationCommand.spec(workload, out))
                .forEach(spec -> loadtest.addSubcommand(spec.name(), spec));
        Stream.of(Suite.values()).map(suite -> SuiteCommand.spec(suite, out))
                .forEach(spec -> loadtest.addSubcommand(spec.name(), spec));
        return loadtest
                .setExpandAtFiles(false)
                .setAllowOptionsAsOptionParameters(false)
                .setParameterExceptionHandler(LoadTest::mistaken)
                .setExecutionExceptionHandler(LoadTest::failed);
    }

    /** Prints the mistake, suggestions, and where to find help. */
    private static int mistaken(ParameterException mistake, String... args) {
        var command = mistake.getCommandLine();
        var err = command.getErr();
        err.println(mistake.getMessage());
        UnmatchedArgumentException.printSuggestions(mistake, err);
        err.printf("See %s --help%n", command.getCommandSpec().qualifiedName());
        return BAD_USAGE;
    }

    private static int failed(Exception problem, CommandLine command, ParseResult parsed) {
        if (problem instanceof UsageException) {
            command.getErr().println(problem.getMessage());
            return BAD_USAGE;
        }
        problem.printStackTrace(command.getErr());
        return CRASHED;
    }
}
