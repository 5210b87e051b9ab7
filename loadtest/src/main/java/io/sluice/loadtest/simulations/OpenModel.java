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
 * Users who come whether earlier ones have been answered or not, each with one request, on connections
 * that they share; as in field report R1.
 *
 * <p>Gatling counts {@code connections}, at most so many per host, for resources that a page embeds; with
 * connections shared by all users it opens as many as there are requests in flight.
 */
record OpenModel(RunSettings settings, int connections, List<Population> users) implements SimulatedLoad {

    /**
     * Users of one kind, who all start together with those of the others.
     *
     * @param expected what must stand in every answer, or nothing; its status is 200
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
