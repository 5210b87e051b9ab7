package io.sluice.loadtest.experiments;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Experiments that are asked for with one word, and reported together. */
public enum Suite {
    /** What the gateway's ways to work cost, beside one another and bare Netty. */
    EXPERIMENTS("Experiments", "experiment"),
    /** The workloads of the field reports, beside other servers. */
    COMPARE("Comparison", "workload");

    private final String title;
    private final String member;

    Suite(String title, String member) {
        this.title = title;
        this.member = member;
    }

    /** What stands above its report. */
    String title() {
        return title;
    }

    /** What one of them is called. */
    public String member() {
        return member;
    }

    /** The suite of a name as it stands in a command line. */
    public static Optional<Suite> of(String name) {
        return Stream.of(values()).filter(suite -> suite.toString().equals(name)).findFirst();
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
