package io.sluice.loadtest;

import io.sluice.loadtest.simulations.Profile;
import io.sluice.loadtest.simulations.RunSettings;
import io.sluice.loadtest.simulations.Workload;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** Settings for tests. */
public final class TestRuns {

    private TestRuns() {}

    public static RunSettings of(Workload workload, Duration length) {
        return new RunSettings(workload, URI.create("http://localhost:8080"),
                URI.create("http://localhost:8081"), length,
                ThresholdsFile.builtIn().of(workload).orElseThrow(), Optional.empty());
    }

    public static RunSettings of(Workload workload, Profile profile) {
        return of(workload, workload.length(profile));
    }
}
