package io.sluice.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatling.javaapi.core.OpenInjectionStep;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HelloSimulationTest {

    @Test
    void injectsWhatTheFieldReportDid() {
        assertThat(requests(HelloSimulation.warmUp(Profile.REPORT))).isEqualTo(105);
        assertThat(requests(HelloSimulation.load(Profile.REPORT))).isEqualTo(8_560);
    }

    @Test
    void injectsTheSameShapeInShort() {
        assertThat(requests(HelloSimulation.warmUp(Profile.SHORT))).isEqualTo(35);
        assertThat(requests(HelloSimulation.load(Profile.SHORT))).isEqualTo(2_910);
        assertThat(HelloSimulation.load(Profile.SHORT)).hasSameSizeAs(HelloSimulation.load(Profile.REPORT));
        assertThat(HelloSimulation.warmUp(Profile.SHORT))
                .hasSameSizeAs(HelloSimulation.warmUp(Profile.REPORT));
    }

    @ParameterizedTest
    @CsvSource({"REPORT, PT15S, PT90S", "SHORT, PT5S, PT30S"})
    void warmsUpWhileTheLoadWaits(Profile profile, Duration wait, Duration whole) {
        assertThat(duration(HelloSimulation.warmUp(profile))).isEqualTo(wait);
        assertThat(duration(HelloSimulation.load(profile).subList(0, 1))).isEqualTo(wait);
        assertThat(duration(HelloSimulation.load(profile))).isEqualTo(whole);
    }

    private static long requests(List<OpenInjectionStep> injection) {
        return injection.stream().mapToLong(step -> step.asScala().users()).sum();
    }

    private static Duration duration(List<OpenInjectionStep> injection) {
        return Duration.ofMillis(
                injection.stream().mapToLong(step -> step.asScala().duration().toMillis()).sum());
    }
}
