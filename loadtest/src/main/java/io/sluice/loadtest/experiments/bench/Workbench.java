package io.sluice.loadtest.experiments.bench;

import io.sluice.loadtest.experiments.report.Figure;
import io.sluice.loadtest.experiments.report.Quantiles;
import io.sluice.loadtest.experiments.server.ConfigFile;
import io.sluice.loadtest.experiments.server.Confinement;
import io.sluice.loadtest.experiments.server.GatewayJar;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.server.Variant;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * The environment of an experiment.
 *
 * @param length of the soak, if it is not that of the timing
 * @param out receives the progress
 */
public record Workbench(GatewayJar jar, Timing timing, Optional<Duration> length, PrintStream out) {

    /** Starts the gateway; returns when it serves. */
    public ServerProcess start(ConfigFile config, Variant variant) throws IOException, InterruptedException {
        return start(config, variant, Confinement.NONE);
    }

    /** Starts the gateway within limits; returns when it serves. */
    public ServerProcess start(ConfigFile config, Variant variant, Confinement confinement)
            throws IOException, InterruptedException {
        return ServerProcess.start(jar, config, variant, confinement);
    }

    /** Prints a line of progress. */
    public void say(String what) {
        out.println("  " + what);
    }

    /** Prints a line of progress with the figures of a measurement. */
    public void say(String what, double perSecond, Quantiles latency) {
        out.printf(Locale.ROOT, "  %-44s %8s/s  p50 %8s ms  p99 %8s ms  max %8s ms%n", what,
                Figure.of(perSecond), Figure.of(latency.p50()), Figure.of(latency.p99()),
                Figure.of(latency.max()));
    }
}
