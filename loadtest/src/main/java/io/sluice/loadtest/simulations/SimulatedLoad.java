package io.sluice.loadtest.simulations;

import io.gatling.javaapi.core.Assertion;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.util.List;

/**
 * The load of one run: what its users do and how they arrive. Created for the run, and asked for its findings
 * at the end.
 */
public interface SimulatedLoad {

    List<PopulationBuilder> populations();

    /** Adds the settings that are specific to this load to the common ones. */
    default HttpProtocolBuilder protocol(HttpProtocolBuilder common) {
        return common;
    }

    /** The assertions for all requests together. */
    default List<Assertion> assertions(Thresholds thresholds) {
        return thresholds.assertions();
    }

    /** Called right before the first user arrives. */
    default void begin() {}

    /** Called after the last user has left. */
    default void end() {}

    /** Findings other than times and failures; called after the end. */
    default Findings findings() {
        return Findings.NONE;
    }

    /**
     * Lines for the summary.
     *
     * @param kept whether the findings are acceptable
     */
    record Findings(boolean kept, List<String> lines) {

        public static final Findings NONE = new Findings(true, List.of());
    }
}
