package io.sluice.loadtest.experiments.bench;

import io.sluice.loadtest.experiments.driver.AnswerClass;
import io.sluice.loadtest.experiments.driver.Load;
import io.sluice.loadtest.experiments.driver.RequestSource;
import io.sluice.loadtest.experiments.report.Figure;
import io.sluice.loadtest.experiments.report.Quantiles;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.server.Variant;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Runs the same load against one variant after the other, round after round, so that changes of the
 * machine over time affect all of them.
 *
 * @param allocations whether to measure what the server allocates on its heap
 */
public record AlternatingRounds(Servers servers, Users users, boolean allocations) {

    /** Rounds of a closed loop of HTTP requests; {@code source} creates the requests of one load. */
    public AlternatingRounds(Servers servers, int connections, Supplier<RequestSource> source) {
        this(servers, port -> Load.closed(port, connections, source.get()), false);
    }

    /** Starts a variant. */
    @FunctionalInterface
    public interface Servers {
        ServerProcess start(Workbench bench, Variant variant) throws IOException, InterruptedException;
    }

    /** Starts a load on a port of this machine. */
    @FunctionalInterface
    public interface Users {
        Load at(int port) throws TimeoutException, InterruptedException;
    }

    /**
     * Measures variants, each with its minimal warm-up. A round is measured when the compilers of the server
     * are idle, after a minute at the latest.
     */
    public List<VariantResult> measure(Workbench bench, Map<Variant, Duration> variants) throws Exception {
        var results = new LinkedHashMap<Variant, VariantResult>();
        int rounds = bench.timing().rounds();
        for (int number = 1; number <= rounds; number++) {
            for (var variant : variants.entrySet()) {
                var round = round(bench, variant.getKey(), bench.timing().warmUp(variant.getValue()));
                results.computeIfAbsent(variant.getKey(), key -> new VariantResult(key, new ArrayList<>()))
                        .rounds().add(round);
                bench.say("round %d of %d, %s, %s µs".formatted(number, rounds, variant.getKey().name(),
                        Figure.of(round.microsPerRequest())), round.perSecond(),
                        Quantiles.of(round.answers().latencies(AnswerClass.OK)));
            }
        }
        return List.copyOf(results.values());
    }

    /** Measures variants that need no particular warm-up. */
    public List<VariantResult> measure(Workbench bench, List<Variant> variants) throws Exception {
        var all = new LinkedHashMap<Variant, Duration>();
        variants.forEach(variant -> all.put(variant, Duration.ZERO));
        return measure(bench, all);
    }

    private Round round(Workbench bench, Variant variant, Duration warmUp) throws Exception {
        try (var server = servers.start(bench, variant); var load = users.at(server.port())) {
            load.warmUp(warmUp);
            Compilers.awaitIdle(server, bench.timing().compiling());
            var allocated = allocations ? AllocationRate.of(server) : null;
            var before = server.processorTime();
            var answers = load.measure(bench.timing().measured()).get();
            var used = server.processorTime().minus(before);
            return new Round(answers, used, allocated == null ? Double.NaN : allocated.perSecond(server));
        }
    }
}
