package io.sluice.loadtest.simulations;

import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.core.CoreDsl.substring;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.OpenInjectionStep;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.util.List;

/**
 * An open model, as in field report R1: users arrive regardless of the responses to earlier ones, each with
 * one request, on shared connections.
 *
 * <p>For Gatling, {@code connections} is the limit per host for the resources of a page; with connections
 * shared by all users, it opens as many as there are requests in flight.
 */
record OpenModel(RunSettings settings, int connections, List<Population> users) implements SimulatedLoad {

    /**
     * The users of one kind; all kinds start at the same time.
     *
     * @param expected the text that every response must contain, with status 200; may be absent
     */
    record Population(String name, String path, String expected, List<OpenInjectionStep> injection) {}

    @Override
    public List<PopulationBuilder> populations() {
        return users.stream().map(this::population).toList();
    }

    private PopulationBuilder population(Population population) {
        var request = http(population.name()).get(settings.at(population.path())).check(status().is(200));
        return scenario(population.name())
                .exec(population.expected().isEmpty()
                        ? request
                        : request.check(substring(population.expected()).exists()))
                .injectOpen(population.injection());
    }

    @Override
    public HttpProtocolBuilder protocol(HttpProtocolBuilder common) {
        return common
                .connectionHeader("keep-alive")
                .shareConnections()
                .maxConnectionsPerHost(connections)
                .disableFollowRedirect();
    }
}
