package io.sluice.loadtest;

import io.gatling.javaapi.core.Simulation;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The workloads that can be asked for, each with what its field report saw. */
enum Workload {
    HELLO(HelloSimulation.class, List.of(
            new Reported("R1 hybrid + platform", 83.9),
            new Reported("R1 hybrid + virtual", 87),
            new Reported("R1 nio + platform", 82),
            new Reported("R1 nio + virtual", 69)));

    private final Class<? extends Simulation> simulation;
    private final List<Reported> reported;

    Workload(Class<? extends Simulation> simulation, List<Reported> reported) {
        this.simulation = simulation;
        this.reported = reported;
    }

    /** The share of successful requests, in percent, that a field report gives for one server. */
    record Reported(String server, double success) {}

    Class<? extends Simulation> simulation() {
        return simulation;
    }

    List<Reported> reported() {
        return reported;
    }

    static Optional<Workload> named(String name) {
        return Stream.of(values()).filter(workload -> workload.toString().equals(name)).findFirst();
    }

    static String names() {
        return String.join(" or ", Stream.of(values()).map(Workload::toString).toList());
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
