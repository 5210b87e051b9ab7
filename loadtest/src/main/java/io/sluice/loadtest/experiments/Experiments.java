package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.bench.Timing;
import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.report.Machine;
import io.sluice.loadtest.experiments.report.Section;
import io.sluice.loadtest.experiments.server.GatewayJar;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Runs experiments one after the other, and writes the results of each as soon as it is done. */
public final class Experiments {

    private Experiments() {}

    /** The end of a run. */
    public enum Outcome {
        /** Every request of every experiment got the expected response, and every judged goal was reached. */
        REACHED,
        /** All experiments were measured, but not all results were as expected. */
        MISSED,
        /** At least one experiment could not be measured; the others were. */
        UNFINISHED
    }

    /**
     * Runs experiments; blocks until they are done.
     *
     * @param suite the suite that they belong to
     * @param length of the soak, if it is not that of the timing
     * @param results the folder to write to; created if it is missing
     * @param command the command line, for the report
     * @param out receives the progress and the location of the results
     * @throws IllegalStateException if there is no gateway to start
     */
    public static Outcome run(Suite suite, List<Experiment> experiments, Timing timing,
            Optional<Duration> length, Path results, String command, PrintStream out)
            throws IOException, InterruptedException {
        var bench = new Workbench(GatewayJar.besideThisModule(), timing, length, out);
        var report = new ReportFolder(results, suite, command, timing, Instant.now(), Machine.here());
        var outcome = Outcome.REACHED;
        for (var experiment : experiments) {
            out.println(experiment);
            try {
                var section = experiment.run(bench);
                report.add(experiment, section);
                out.print(section.outcome());
                outcome = worse(outcome, asExpected(section, timing) ? Outcome.REACHED : Outcome.MISSED);
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                out.println("  not finished: " + e);
                report.unfinished(experiment);
                outcome = Outcome.UNFINISHED;
            }
        }
        out.println("report: " + report.file());
        return outcome;
    }

    private static boolean asExpected(Section section, Timing timing) {
        return section.errors() == 0
                && (!timing.judged() || section.goals().stream().allMatch(goal -> goal.reached()));
    }

    private static Outcome worse(Outcome one, Outcome other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
