package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.bench.AlternatingRounds;
import io.sluice.loadtest.experiments.bench.Round;
import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.driver.AnswerClass;
import io.sluice.loadtest.experiments.driver.Load;
import io.sluice.loadtest.experiments.report.Quantiles;
import io.sluice.loadtest.experiments.server.Variant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Runs the same load against one server after the other, each in a fresh process, round after round, so that
 * changes of the machine over time affect all of them.
 *
 * @param before how long the load runs before it is measured
 * @param measured how long it is measured
 */
record PeerRounds(AlternatingRounds.Users users, Duration before, Duration measured) {

    List<PeerResult> measure(Workbench bench) throws Exception {
        var results = new LinkedHashMap<Variant, PeerResult>();
        try (var peers = Peers.configured()) {
            if (bench.timing().judged()) {
                round(peers, bench, Peers.BARE, bench.timing().warmUp()); // the driver starts cold, too
            }
            for (int number = 1; number <= bench.timing().rounds(); number++) {
                var order = new ArrayList<>(Peers.ALL);
                Collections.rotate(order, number - 1); // in another order each time
                for (var variant : order) {
                    var round = round(peers, bench, variant, measured);
                    results.computeIfAbsent(variant, key -> new PeerResult(key, new ArrayList<>()))
                            .rounds().add(round);
                    bench.say("round %d of %d, %s".formatted(
                            number, bench.timing().rounds(), variant.name()), round.round().perSecond(),
                            Quantiles.of(round.round().answers().latencies(AnswerClass.OK)));
                }
            }
        }
        return List.copyOf(results.values());
    }

    private PeerRound round(Peers peers, Workbench bench, Variant variant, Duration phase) throws Exception {
        try (var server = peers.start(bench, variant); Load load = users.at(server.port())) {
            if (!before.isZero()) {
                load.warmUp(before);
            }
            var used = server.processorTime();
            var answers = load.measure(phase).get();
            var round = new Round(answers, server.processorTime().minus(used), Double.NaN);
            return new PeerRound(round, server.residentBytes(), server.threads());
        }
    }
}
