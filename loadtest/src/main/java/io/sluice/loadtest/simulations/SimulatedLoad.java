package io.sluice.loadtest.simulations;

import io.gatling.javaapi.core.Assertion;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.util.List;

/**
 * The users of one run: what they do and how they arrive. Made for the run, and asked afterwards what was
 * found.
 */
public interface SimulatedLoad {

    List<PopulationBuilder> populations();

    /** What is particular about their connections, on top of what all simulations have in common. */
    default HttpProtocolBuilder protocol(HttpProtocolBuilder common) {
        return common;
    }

    /** What has to hold for all requests together. */
    default List<Assertion> assertions(Thresholds thresholds) {
        return thresholds.assertions();
    }

    /** Called right before the first user comes. */
    default void begin() {}

    /** Called when the last user has gone. */
    default void end() {}

    /** What was found beside times and failures; asked after the end. */
    default Findings findings() {
        return Findings.NONE;
    }

    /**
     * Lines for the summary.
     *
     * @param kept whether all is well with them
     */
    record Findings(boolean kept, List<String> lines) {

        public static final Findings NONE = new Findings(true, List.of());
    }
}
