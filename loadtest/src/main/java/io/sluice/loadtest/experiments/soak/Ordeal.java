package io.sluice.loadtest.experiments.soak;

import io.sluice.loadtest.experiments.faults.Fault;
import io.sluice.loadtest.experiments.faults.Scene;
import io.sluice.loadtest.experiments.hostile.Attack;
import io.sluice.loadtest.experiments.wire.Onslaught;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** An attack or a fault of a certain duration. */
@FunctionalInterface
interface Ordeal {

    /** Runs the attack or fault against the gateway; blocks until it has ended. */
    void last(Scene scene, Duration time) throws Exception;

    /** All attacks, and all faults that a single gateway recovers from. */
    static List<Ordeal> all() {
        return Stream.concat(Stream.of(Attack.values()).map(Ordeal::of), Fault.ofOneGateway().map(Ordeal::of))
                .toList();
    }

    private static Ordeal of(Attack attack) {
        return named(attack.toString(), (scene, time) -> {
            try (var _ = Onslaught.of(attack.port(scene.gateway()), attack.squads())) {
                Thread.sleep(time); // the attack lasts
            }
        });
    }

    private static Ordeal of(Fault fault) {
        return named(fault.toString(), (scene, time) -> {
            fault.inject(scene);
            Thread.sleep(time); // the fault lasts
            fault.mend(scene);
        });
    }

    private static Ordeal named(String name, Ordeal ordeal) {
        return new Ordeal() {
            @Override
            public void last(Scene scene, Duration time) throws Exception {
                ordeal.last(scene, time);
            }

            @Override
            public String toString() {
                return name;
            }
        };
    }
}
