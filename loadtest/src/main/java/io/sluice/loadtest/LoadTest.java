package io.sluice.loadtest;

import io.sluice.loadtest.experiments.Experiments;
import io.sluice.loadtest.experiments.bench.Timing;
import java.io.IOException;
import java.io.PrintStream;

/**
 * The command line: {@code loadtest hello --url http://localhost:8080 --profile report}, or
 * {@code loadtest experiments r4 --profile report}, or {@code loadtest compare}.
 *
 * <p>The exit code is 0 when every threshold of the simulation is kept and every judged goal of the
 * experiments is reached, 1 when not, 2 after a mistake of the user and 3 when the run could not be
 * finished.
 */
public final class LoadTest {

    private static final int OK = 0;
    private static final int NOT_REACHED = 1;
    private static final int BAD_USAGE = 2;
    private static final int CRASHED = 3;

    private LoadTest() {}

    /** Runs what the arguments ask for and ends this JVM with the exit code that belongs to it. */
    public static void main(String[] args) {
        System.exit(run(args, System.out, System.err));
    }

    static int run(String[] args, PrintStream out, PrintStream err) {
        try {
            return switch (CommandLine.parse(args)) {
                case CommandLine.Help() -> {
                    out.print(CommandLine.USAGE);
                    yield OK;
                }
                case CommandLine.Run run -> run(run, out);
                case CommandLine.Experiments wanted -> run(wanted, out);
            };
        } catch (UsageException e) {
            err.println(e.getMessage());
            return BAD_USAGE;
        } catch (Exception | AssertionError e) {
            e.printStackTrace(err);
            return CRASHED;
        }
    }

    private static int run(CommandLine.Run run, PrintStream out) throws IOException {
        var settings = run.settings();
        var load = settings.workload().load(settings);
        var finished = GatlingRun.of(load, settings, run.results());
        var summary = new Summary(settings, finished, RunLog.read(finished.folder()), load.findings());
        out.print(summary);
        return summary.kept() ? OK : NOT_REACHED;
    }

    private static int run(CommandLine.Experiments wanted, PrintStream out)
            throws IOException, InterruptedException {
        var timing = switch (wanted.profile()) {
            case SHORT -> Timing.SHORT;
            case REPORT -> Timing.REPORT;
        };
        var outcome = Experiments.run(wanted.suite(), wanted.experiments(), timing, wanted.length(),
                wanted.results(), wanted.command(), out);
        return switch (outcome) {
            case REACHED -> OK;
            case MISSED -> NOT_REACHED;
            case UNFINISHED -> CRASHED;
        };
    }
}
