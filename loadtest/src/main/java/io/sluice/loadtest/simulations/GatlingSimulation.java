package io.sluice.loadtest.simulations;

import io.gatling.javaapi.core.Simulation;

/**
 * The one simulation that Gatling knows. Gatling makes it with its constructor without arguments, in the
 * same JVM, so what it is to do is left for it beforehand.
 */
public final class GatlingSimulation extends Simulation {

    private static SimulatedLoad nextLoad;
    private static RunSettings nextSettings;

    private final SimulatedLoad load;

    /** Made by Gatling, for what {@link #prepare} was told last. */
    public GatlingSimulation() {
        load = nextLoad;
        setUp(load.populations())
                .protocols(load.protocol(nextSettings.protocol()))
                .assertions(load.assertions(nextSettings.thresholds()));
    }

    /** What the next one will do. */
    public static void prepare(SimulatedLoad load, RunSettings settings) {
        nextLoad = load;
        nextSettings = settings;
    }

    @Override
    public void before() {
        load.begin();
    }

    @Override
    public void after() {
        load.end();
    }
}
