package io.sluice.loadtest.simulations;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.sluice.loadtest.simulations.RunSettings.wholeSeconds;

import io.gatling.javaapi.core.OpenInjectionStep;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import io.sluice.loadtest.simulations.OpenModel.Population;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * A constant mix of load: text, computation, delays, a tenth of the capacity of field report R4's query, and
 * WebSockets that connect, have messages echoed and close. Meanwhile the server's memory, threads and
 * descriptors are sampled from its metrics, and their growth is reported.
 */
final class SoakSimulation implements SimulatedLoad {

    private static final Duration TEXT_EVERY = Duration.ofSeconds(1);
    private static final Duration LONGEST_STAY = Duration.ofSeconds(10);

    private final RunSettings run;
    private final OpenModel requests;
    private final ServerSamples samples;

    /**
     * Reads the server's metrics for the first time.
     *
     * @throws UsageException if there are none
     */
    SoakSimulation(RunSettings run) {
        this.run = run;
        requests = new OpenModel(run, 200, List.of(
                population("hello", "/benchmark/hello", 50),
                population("json", "/benchmark/json", 20),
                population("cpu", "/benchmark/cpu?n=35", 10),
                population("latency", "/benchmark/latency?ms=100", 20),
                population("mixed", "/benchmark/mixed", 10),
                population("query", "/benchmark/jdbc?ms=20", 50)));
        samples = ServerSamples.of(run.admin(), run.length());
    }

    private Population population(String name, String path, int rate) {
        return new Population(name, path, "", List.of(arrivals(rate)));
    }

    private OpenInjectionStep arrivals(int rate) {
        return constantUsersPerSec(rate).during(wholeSeconds(run.length()));
    }

    @Override
    public List<PopulationBuilder> populations() {
        var stay = run.length().compareTo(LONGEST_STAY) < 0 ? run.length() : LONGEST_STAY;
        var sockets = WebSocketEchoSimulation.users(run, TEXT_EVERY, stay).injectOpen(arrivals(1));
        return Stream.concat(requests.populations().stream(), Stream.of(sockets)).toList();
    }

    @Override
    public HttpProtocolBuilder protocol(HttpProtocolBuilder common) {
        return requests.protocol(common);
    }

    @Override
    public void begin() {
        samples.start();
    }

    @Override
    public void end() {
        samples.stop();
    }

    @Override
    public Findings findings() {
        return new Findings(true, samples.slopes());
    }
}
