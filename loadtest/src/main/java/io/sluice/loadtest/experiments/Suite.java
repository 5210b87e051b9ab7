package io.sluice.loadtest.experiments;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A suite: experiments that are run by one name and reported together. */
public enum Suite {
    EXPERIMENTS("Experiments", "Experiments with gateways that they start; all take 70 min, short 7 min."),
    COMPARE("Comparison", "Field reports' workloads on the gateway, bare Netty and Tomcat with platform and "
            + "with virtual threads, proxies, and rows from PostgreSQL; all take 110 min, short 6 min.");

    private final String title;
    private final String description;

    Suite(String title, String description) {
        this.title = title;
        this.description = description;
    }

    /** The title of the report. */
    String title() {
        return title;
    }

    /** The experiments of the suite, for the command line. */
    public String description() {
        return description;
    }

    /** The experiments of the suite, in the order in which they run. */
    public List<Experiment> all() {
        return Stream.of(Experiment.values()).filter(experiment -> experiment.suite() == this).toList();
    }

    /** The experiment with a name from the command line. */
    public Optional<Experiment> named(String name) {
        return all().stream().filter(experiment -> experiment.toString().equals(name)).findFirst();
    }

    /** All names, for a sentence. */
    public String names() {
        var names = all().stream().map(Experiment::toString).toList();
        return String.join(", ", names.subList(0, names.size() - 1)) + " or " + names.getLast();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
