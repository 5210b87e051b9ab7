package io.sluice.loadtest;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** Settings for tests. */
final class TestRuns {

    private TestRuns() {}

    static RunSettings of(Workload workload, Duration length) {
        return new RunSettings(workload, URI.create("http://localhost:8080"),
                URI.create("http://localhost:8081"), length,
                ThresholdsFile.builtIn().of(workload).orElseThrow(), Optional.empty());
    }

    static RunSettings of(Workload workload, Profile profile) {
        return of(workload, workload.length(profile));
    }
}
