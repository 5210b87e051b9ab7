package io.sluice.loadtest;

import io.gatling.javaapi.core.Simulation;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The workloads that can be asked for, each with what its field report saw. */
enum Workload {
    HELLO(HelloSimulation.class, FieldReport.R1),
    CODE(CodeSimulation.class, FieldReport.R5),
    WS_ECHO(WebSocketEchoSimulation.class, FieldReport.NONE);

    private final Class<? extends Simulation> simulation;
    private final FieldReport report;

    Workload(Class<? extends Simulation> simulation, FieldReport report) {
        this.simulation = simulation;
        this.report = report;
    }

    Class<? extends Simulation> simulation() {
        return simulation;
    }

    FieldReport report() {
        return report;
    }

    static Optional<Workload> named(String name) {
        return Stream.of(values()).filter(workload -> workload.toString().equals(name)).findFirst();
    }

    /** All names, as they stand in a list that goes on. */
    static List<String> names() {
        return Stream.of(values()).map(Workload::toString).toList();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
