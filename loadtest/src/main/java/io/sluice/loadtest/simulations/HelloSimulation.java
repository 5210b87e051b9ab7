package io.sluice.loadtest.simulations;

import static io.gatling.javaapi.core.CoreDsl.nothingFor;

import io.sluice.loadtest.simulations.OpenModel.Population;
import java.util.List;

/**
 * The Hello simulation of field report R1: {@code GET /benchmark/hello}, every response checked for the text
 * {@code Hello, World!}; 105 requests to warm up, then 8,560 within 75 s.
 */
final class HelloSimulation {

    private static final String PATH = "/benchmark/hello";

    private HelloSimulation() {}

    static OpenModel of(RunSettings run) {
        var hello = "Hello, World!";
        return new OpenModel(run, 200, List.of(
                new Population("warm-up", PATH, hello, List.of(
                        run.ramp(5, 5),
                        run.perSecond(10, 10))),
                new Population("load", PATH, hello, List.of(
                        nothingFor(run.seconds(15)),
                        run.ramp(10, 5),
                        run.ramp(50, 10),
                        run.perSecond(100, 30),
                        run.perSecond(100, 200, 10),
                        run.perSecond(200, 20)))));
    }
}
