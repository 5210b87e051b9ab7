package io.sluice.loadtest.experiments;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Experiments that are asked for with one word, and reported together. */
public enum Suite {
    EXPERIMENTS("Experiments", "Experiments with gateways that they start; all take 54 min, short 5 min."),
    COMPARE("Comparison", "Field reports' workloads on the gateway, bare Netty and Tomcat with platform and "
            + "with virtual threads; all take 25 min, short 1 min.");

    private final String title;
    private final String description;

    Suite(String title, String description) {
        this.title = title;
        this.description = description;
    }

    /** What stands above its report. */
    String title() {
        return title;
    }

    /** What belongs to it, for the command line. */
    public String description() {
        return description;
    }

    /** All that belong to it, in the order in which they run. */
    public List<Experiment> all() {
        return Stream.of(Experiment.values()).filter(experiment -> experiment.suite() == this).toList();
    }

    /** The one of a name as it stands in a command line. */
    public Optional<Experiment> named(String name) {
        return all().stream().filter(experiment -> experiment.toString().equals(name)).findFirst();
    }

    /** All names, as they stand in a sentence. */
    public String names() {
        var names = all().stream().map(Experiment::toString).toList();
        return String.join(", ", names.subList(0, names.size() - 1)) + " or " + names.getLast();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
