package io.sluice.loadtest.simulations;

import static io.gatling.javaapi.core.CoreDsl.nothingFor;

import io.sluice.loadtest.simulations.OpenModel.Population;
import java.util.List;

/**
 * The CPU simulation of field report R1: 1,775 times the 35th Fibonacci number, and 410 times the count of
 * primes up to 10,000; every response is checked for the right result.
 */
final class CpuSimulation {

    private CpuSimulation() {}

    static OpenModel of(RunSettings run) {
        return new OpenModel(run, 200, List.of(
                new Population("cpu", "/benchmark/cpu?n=35", "9227465", List.of(
                        run.ramp(5, 5),
                        run.ramp(20, 10),
                        run.perSecond(30, 20),
                        run.perSecond(30, 50, 10),
                        run.perSecond(50, 15))),
                new Population("cpu-heavy", "/benchmark/cpu-heavy?limit=10000", "1229",
                        List.of(
                                nothingFor(run.seconds(10)),
                                run.ramp(10, 10),
                                run.perSecond(20, 20)))));
    }
}
