package io.sluice.loadtest.experiments.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.loadtest.BuiltGateway;
import io.sluice.loadtest.experiments.bench.Timing;
import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.site.TargetSite;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
@BuiltGateway.Awaited
class HostileIT {

    /** An attack over HTTP/1.1, one over HTTP/2 and one over TLS. */
    private static final List<Attack> ATTACKS =
            List.of(Attack.SLOW_HEADS, Attack.WINDOW_0_FILES, Attack.CLIENT_HELLO_IN_PIECES);

    @Test
    void measuresANeighbourAloneAndBesideAnAttack() throws Exception {
        var section = Hostile.run(new Workbench(BuiltGateway.jar(), Timing.SHORT, Optional.empty(),
                new PrintStream(OutputStream.nullOutputStream())), ATTACKS, TargetSite.SMALL);
        assertThat(section.table().toString())
                // 400 connections, if there is the time to open them
                .containsPattern("\\| slow heads \\| [^|]+ \\| [1-4]\\d\\d \\| 0 \\| hello .* lives \\|")
                .containsPattern("\\| window 0 files \\| [^|]+ \\| 40 \\| .* \\| file \\| .* \\| lives \\|")
                .containsPattern("\\| client hello in pieces \\| [1-9].* hello .* lives \\|");
        assertThat(section.goals()).hasSize(1 + 2 * ATTACKS.size());
        assertThat(section.plot()).contains("<polyline");
    }

    @Test
    void hasSquadsForEachAttack() {
        assertThat(EnumSet.allOf(Attack.class)).allSatisfy(attack ->
                assertThat(attack.squads()).isNotEmpty()
                        .allSatisfy(squad -> assertThat(squad.clients()).isPositive()));
    }
}
