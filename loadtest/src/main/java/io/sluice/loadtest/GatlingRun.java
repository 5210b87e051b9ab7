package io.sluice.loadtest;

import io.gatling.app.Gatling$;
import io.sluice.loadtest.simulations.GatlingSimulation;
import io.sluice.loadtest.simulations.RunSettings;
import io.sluice.loadtest.simulations.SimulatedLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;

/** A finished run of Gatling: whether all assertions hold, and the folder with its log and report. */
record GatlingRun(boolean kept, Path folder) {

    private static final int ASSERTIONS_BROKEN = 2;

    /**
     * The logger of the preferences, in which Gatling stores the date of its last check for updates;
     * irrelevant here.
     */
    private static final Logger PREFERENCES = Logger.getLogger("java.util.prefs");

    /**
     * Runs a simulation in this JVM; blocks until it ends.
     *
     * <p>{@code Gatling.main} would end the JVM; {@code fromArgs} is what it calls and what build plugins
     * use. It does not return the folder that it creates in {@code results}, so the new one is looked up
     * there.
     */
    static GatlingRun of(SimulatedLoad load, RunSettings settings, Path results) throws IOException {
        PREFERENCES.setLevel(Level.OFF);
        Files.createDirectories(results);
        GatlingSimulation.prepare(load, settings);
        var before = folders(results);
        var exitCode = Gatling$.MODULE$.fromArgs(new String[] {
                "--simulation", GatlingSimulation.class.getName(), "--results-folder", results.toString(),
                "--run-description", settings.toString()});
        var folder = folders(results).stream()
                .filter(found -> !before.contains(found))
                .max(Comparator.naturalOrder())
                .orElseThrow(() -> new IllegalStateException("Gatling wrote nothing to " + results));
        if (exitCode != 0 && exitCode != ASSERTIONS_BROKEN) {
            throw new IllegalStateException("Gatling gave up with exit code " + exitCode);
        }
        return new GatlingRun(exitCode == 0, folder);
    }

    private static Set<Path> folders(Path results) throws IOException {
        try (var found = Files.list(results)) {
            return found.filter(Files::isDirectory).collect(Collectors.toSet());
        }
    }
}
