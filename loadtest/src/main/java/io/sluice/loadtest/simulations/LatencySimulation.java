package io.sluice.loadtest.simulations;

import static io.gatling.javaapi.core.CoreDsl.nothingFor;

import io.sluice.loadtest.simulations.OpenModel.Population;
import java.util.List;

/**
 * The Latency simulation of field report R1: responses that the server delays by 50, 100 and 200 ms, and
 * {@code /mixed}, which computes before it waits; 23,830 requests.
 */
final class LatencySimulation {

    private static final String PATH = "/benchmark/latency?ms=";

    private LatencySimulation() {}

    static OpenModel of(RunSettings run) {
        return new OpenModel(run, 300, List.of(
                new Population("latency 50 ms", PATH + 50, "", List.of(
                        run.ramp(20, 5),
                        run.perSecond(100, 20),
                        run.perSecond(100, 300, 10),
                        run.perSecond(300, 20))),
                new Population("latency 100 ms", PATH + 100, "", List.of(
                        nothingFor(run.seconds(5)),
                        run.ramp(20, 5),
                        run.perSecond(80, 20),
                        run.perSecond(80, 200, 10),
                        run.perSecond(200, 20))),
                new Population("latency 200 ms", PATH + 200, "", List.of(
                        nothingFor(run.seconds(10)),
                        run.ramp(10, 5),
                        run.perSecond(50, 20),
                        run.perSecond(50, 150, 10),
                        run.perSecond(150, 15))),
                new Population("mixed", "/benchmark/mixed", "", List.of(
                        nothingFor(run.seconds(15)),
                        run.ramp(30, 10),
                        run.perSecond(100, 25)))));
    }
}
