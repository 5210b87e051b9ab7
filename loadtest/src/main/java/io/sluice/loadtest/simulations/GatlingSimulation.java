package io.sluice.loadtest.simulations;

import io.gatling.javaapi.core.Simulation;

/**
 * The simulation class that Gatling loads. Gatling creates it with its constructor without parameters, in the
 * same JVM, so that its load has to be set before by {@link #prepare}.
 */
public final class GatlingSimulation extends Simulation {

    @SuppressWarnings("NullAway.Init") // set by prepare(), like the settings
    private static SimulatedLoad nextLoad;
    @SuppressWarnings("NullAway.Init")
    private static RunSettings nextSettings;

    private final SimulatedLoad load;

    /** Called by Gatling; runs the load of the last {@link #prepare}. */
    public GatlingSimulation() {
        load = nextLoad;
        setUp(load.populations())
                .protocols(load.protocol(nextSettings.protocol()))
                .assertions(load.assertions(nextSettings.thresholds()));
    }

    /** Sets the load of the next instance. */
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
