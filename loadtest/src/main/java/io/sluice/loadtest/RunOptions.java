package io.sluice.loadtest;

import io.sluice.loadtest.simulations.Profile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of every run. */
final class RunOptions {

    @Option(names = "--profile", paramLabel = "NAME", converter = Arguments.ProfileName.class,
            defaultValue = "report", description =
            "report: figures to quote (default); short: the same shape in a fraction of the time."
                    + " Experiments print their goals then, and are not judged by them.")
    private Profile profile;

    @Option(names = "--duration", paramLabel = "TIME", converter = Arguments.Length.class, description =
            "In place of the profile's: 45s, 8h. A simulation is stretched or compressed, at the same rates;"
                    + " of experiments, only soak takes it.")
    private Optional<Duration> length;

    @Option(names = "--results", paramLabel = "DIR", converter = Arguments.Folder.class, description =
            "Where reports are written (default: loadtest/target/gatling, experiments or compare).")
    private Optional<Path> results;

    Profile profile() {
        return profile;
    }

    Optional<Duration> length() {
        return length;
    }

    /** The folder of reports; by default one of this module. */
    Path results(String name) {
        return results.orElseGet(() -> ResultsFolder.ofThisModule(name));
    }
}
